// Vercel AI SDK with @ai-sdk/anthropic.
import { createAnthropic } from "@ai-sdk/anthropic";
import { scenes } from "./ai_sdk.mjs";
import { play } from "./scenes.mjs";

await play("@ai-sdk/anthropic", scenes((baseURL, apiKey) => createAnthropic({ baseURL, apiKey })("claude-sonnet-4-5")));
