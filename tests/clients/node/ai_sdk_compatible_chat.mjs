// Vercel AI SDK with @ai-sdk/openai-compatible.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { scenes } from "./ai_sdk.mjs";
import { play } from "./scenes.mjs";

const options = { name: "groundwire", supportsStructuredOutputs: true };
await play(
  "@ai-sdk/openai-compatible",
  scenes((baseURL, apiKey) => createOpenAICompatible({ ...options, baseURL, apiKey })("gpt-4o")),
);
