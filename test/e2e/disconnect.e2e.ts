import { expect, it } from "vitest"
import { freshStore } from "./database.ts"
import { start } from "./program.ts"
import { pause } from "./waiting.ts"

const password = "correct horse battery staple"

it.each([
  { shell: "REST", path: "/api/auth/sign-in/email", body: { email: "ada@example.com", password } },
  {
    shell: "GraphQL",
    path: "/graphql",
    body: { query: `mutation { signInEmail(input: { email: "ada@example.com", password: "${password}" }) { user { id } } }` },
  },
])("a client that disconnects is no failure in the log: $shell", async ({ path, body }) => {
  // A hash takes long enough for the client to disconnect before the response.
  const email_password = { enabled: true, hash: { memory_kib: 65536, passes: 4, lanes: 1 } }
  const program = await start({ store: await freshStore(), email_password, graphql: {} })
  const url = `http://localhost:${program.port}`
  const request = (signal: AbortSignal) =>
    fetch(url + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", origin: url },
      signal,
    })
  const abandoned = Array.from({ length: 8 }, () =>
    request(AbortSignal.timeout(20)).then(
      () => false,
      () => true,
    ),
  )
  expect(await Promise.all(abandoned)).toContain(true)
  await pause(1000)
  expect(program.logs()).not.toMatch(/fail/i)
})
