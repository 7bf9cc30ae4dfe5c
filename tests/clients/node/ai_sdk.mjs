// What the Vercel AI SDK's drivers share: `streamText`, `generateText` and structured output, over any provider's model.
import { Output, generateText, stepCountIs, streamText, tool } from "ai";
import { DESCRIPTION, Done, Edit, FIRST, SECOND, writeFile } from "./scenes.mjs";

globalThis.AI_SDK_LOG_WARNINGS = false;
const shared = {
  tools: { write_file: tool({ description: DESCRIPTION, inputSchema: Edit, execute: async (edit) => writeFile(edit) }) },
  stopWhen: stepCountIs(5),
  maxRetries: 0,
};

async function streamed(asked) {
  let failure;
  const result = streamText({ ...asked, onError: ({ error }) => (failure = error) });
  await result.consumeStream();
  if (failure) throw failure;
  return { text: await result.text, response: await result.response };
}

function conversation(open, ask) {
  return async (url, key) => {
    const messages = [{ role: "user", content: FIRST }];
    const first = await ask({ ...shared, model: open(url, key), messages });
    messages.push(...first.response.messages, { role: "user", content: SECOND });
    const second = await ask({ ...shared, model: open(url, key), messages });
    return { answers: [first.text, second.text] };
  };
}

export function scenes(open) {
  const stream = conversation(open, streamed);
  const parse = async (url, key) => {
    const output = Output.object({ schema: Done });
    return { parsed: (await generateText({ ...shared, model: open(url, key), prompt: FIRST, output })).output };
  };
  return { stream, plain: conversation(open, generateText), parse, abort: stream, hold: stream };
}
