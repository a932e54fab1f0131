/** `node:http` and `node:https`. Their `import` would also load Node's `fetch` and `WebSocket`, which take 6 MB of memory. */
export const http = process.getBuiltinModule("node:http")
export const https = process.getBuiltinModule("node:https")
