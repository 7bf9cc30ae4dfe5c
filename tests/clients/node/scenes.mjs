// What every driver shares: the two questions, the one tool, which really fails, and a line of JSON for each scene.
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

export const FIRST = "Turn debugging off in settings/config.py.";
export const SECOND = "Thanks.";
export const DESCRIPTION = "Write a text to a file.";
export const Edit = z.object({ path: z.string(), content: z.string() });
export const Done = z.object({ path: z.string(), summary: z.string() });

export function writeFile({ path, content }) {
  writeFileSync(path, content);
  return `Wrote ${content.length} bytes to ${path}.`;
}

// The tool's result as a plain agent loop reports it.
export function tried(edit) {
  try {
    return writeFile(edit);
  } catch (error) {
    return `Error: ${error.message}`;
  }
}

function version(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;
}

// Plays the scenes named on the command line; a client's error is what it showed.
export async function play(name, scenes) {
  for (const scene of process.argv.slice(2)) {
    let shown;
    try {
      shown = await scenes[scene](process.env.BASE_URL, `${scene}.${process.env.RUN}`);
    } catch (error) {
      console.error(error);
      shown = { error: error.constructor.name };
    }
    console.log(JSON.stringify({ scene, version: version(name), ...shown }));
  }
}
