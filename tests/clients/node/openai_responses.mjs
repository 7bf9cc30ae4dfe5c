// openai-node, Responses: streamed, plain, by the `.stream()` helper, by `parse`; the history is sent whole.
import OpenAI from "openai";
import { zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";
import { DESCRIPTION, Done, Edit, FIRST, SECOND, play, tried } from "./scenes.mjs";

const declared = { type: "function", name: "write_file", description: DESCRIPTION, strict: true };
const asked = { model: "gpt-4o", tools: [{ ...declared, parameters: z.toJSONSchema(Edit) }], store: false };

const ways = {
  async streamed(responses, input) {
    for await (const event of await responses.create({ ...asked, input, stream: true })) {
      if (event.type === "response.completed") return event.response;
    }
    throw new Error("no response.completed");
  },
  plain: (responses, input) => responses.create({ ...asked, input }),
  helper: (responses, input) => responses.stream({ ...asked, input }).finalResponse(),
  parsed: (responses, input) =>
    responses.parse({ ...asked, input, text: { format: zodTextFormat(Done, "done") } }),
};

function opened(baseURL, apiKey) {
  return new OpenAI({ baseURL, apiKey, maxRetries: 0 }).responses;
}

// Ask until the model calls no more tools; its last response.
async function turn(responses, ask, input, said) {
  input.push({ role: "user", content: said });
  for (;;) {
    const response = await ask(responses, input);
    input.push(...response.output.map(({ parsed_arguments, ...item }) => item));
    const calls = response.output.filter((item) => item.type === "function_call");
    if (!calls.length) return response;
    for (const { call_id, arguments: text } of calls) {
      input.push({ type: "function_call_output", call_id, output: tried(JSON.parse(text)) });
    }
  }
}

function words({ output }) {
  return output.flatMap((item) => item.content ?? []).map((part) => part.text).join("");
}

function conversation(ask) {
  return async (url, key) => {
    const [responses, input] = [opened(url, key), []];
    const first = words(await turn(responses, ask, input, FIRST));
    return { answers: [first, words(await turn(responses, ask, input, SECOND))] };
  };
}

async function parse(url, key) {
  return { parsed: (await turn(opened(url, key), ways.parsed, [], FIRST)).output_parsed };
}

const stream = conversation(ways.streamed);
const [plain, helper] = [conversation(ways.plain), conversation(ways.helper)];
await play("openai", { stream, plain, helper, parse, abort: stream, hold: stream });
