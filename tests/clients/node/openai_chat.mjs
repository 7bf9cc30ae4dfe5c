// openai-node, chat completions: by `runTools` streamed and plain, by the `.stream()` helper, by `parse`.
import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";
import { DESCRIPTION, Done, Edit, FIRST, SECOND, play, tried } from "./scenes.mjs";

const declared = { name: "write_file", description: DESCRIPTION, parameters: z.toJSONSchema(Edit), strict: true };
const runnable = { type: "function", function: { ...declared, function: tried, parse: JSON.parse } };
const plain = { type: "function", function: declared };

function opened(baseURL, apiKey) {
  return new OpenAI({ baseURL, apiKey, maxRetries: 0 });
}

// A turn by `runTools`: the client runs the tool itself; the whole history.
async function run(client, messages, stream) {
  const runner = client.chat.completions.runTools({ model: "gpt-4o", messages, tools: [runnable], stream });
  await runner.finalContent();
  return runner.messages.map(({ parsed, ...message }) => message);
}

// A turn by hand, with the answers that `ask` gets; the last message.
async function loop(ask, messages) {
  for (;;) {
    const message = await ask(messages);
    messages.push({ role: "assistant", content: message.content, tool_calls: message.tool_calls });
    if (!message.tool_calls?.length) return message;
    for (const call of message.tool_calls) {
      messages.push({ role: "tool", tool_call_id: call.id, content: tried(JSON.parse(call.function.arguments)) });
    }
  }
}

function running(stream) {
  return async (url, key) => {
    const client = opened(url, key);
    const first = await run(client, [{ role: "user", content: FIRST }], stream);
    const second = await run(client, [...first, { role: "user", content: SECOND }], stream);
    return { answers: [first.at(-1).content, second.at(-1).content] };
  };
}

async function helper(url, key) {
  const completions = opened(url, key).chat.completions;
  const ask = async (messages) => {
    const stream = completions.stream({ model: "gpt-4o", messages, tools: [plain] });
    return (await stream.finalChatCompletion()).choices[0].message;
  };
  const messages = [{ role: "user", content: FIRST }];
  const first = await loop(ask, messages);
  messages.push({ role: "user", content: SECOND });
  return { answers: [first.content, (await loop(ask, messages)).content] };
}

async function parse(url, key) {
  const response_format = zodResponseFormat(Done, "done");
  const asked = { model: "gpt-4o", tools: [plain], response_format };
  const ask = async (messages) =>
    (await opened(url, key).chat.completions.parse({ ...asked, messages })).choices[0].message;
  return { parsed: (await loop(ask, [{ role: "user", content: FIRST }])).parsed };
}

await play("openai", { stream: running(true), plain: running(false), helper, parse, abort: helper, hold: helper });
