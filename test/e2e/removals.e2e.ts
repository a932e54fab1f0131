import { join } from "node:path"
import { expect, it } from "vitest"
import { install, temporaryFolder } from "./program.ts"
import { until } from "./waiting.ts"

const credentials = { email: "ada@example.com", password: "correct horse battery staple" }
const owned = 25

it("a deletion that was answered survives SIGKILL, and continues at the next start", async () => {
  const program = await install({
    store: { kind: "embedded", directory: join(temporaryFolder(), "data") },
    modules: { organization: {} },
  })
  program.begin()
  await program.ready()
  const { cookie } = await program.call("/sign-up/email", credentials)
  for (let index = 0; index < owned; index++) {
    const { status } = await program.call("/organization/create", { name: "Org", slug: `org${index}` }, { cookie })
    expect(status).toBe(200)
  }
  expect((await program.call("/delete-user", { password: credentials.password }, { cookie })).status).toBe(200)
  await program.kill()

  program.begin()
  await program.ready()
  expect((await program.call("/get-session", undefined, { cookie })).body.user).toBeNull()
  expect((await program.call("/sign-in/email", credentials)).status).toBe(401)
  const again = await program.call("/sign-up/email", credentials)
  expect(again.status).toBe(200)
  const created = async (slug: string) => {
    const { status } = await program.call("/organization/create", { name: "Org", slug }, { cookie: again.cookie })
    return status === 200 || undefined
  }
  for (let index = 0; index < owned; index++) await until(`the slug org${index} to be free`, () => created(`org${index}`), 30)
})
