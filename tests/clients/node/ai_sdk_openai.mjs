// Vercel AI SDK with @ai-sdk/openai, over chat completions or Responses (WIRE).
import { createOpenAI } from "@ai-sdk/openai";
import { scenes } from "./ai_sdk.mjs";
import { play } from "./scenes.mjs";

const api = process.env.WIRE;
await play("@ai-sdk/openai", scenes((baseURL, apiKey) => createOpenAI({ baseURL, apiKey })[api]("gpt-4o")));
