import { expect, it } from "vitest"
import { freshStore, sql } from "./database.ts"
import { start } from "./program.ts"
import { pause } from "./waiting.ts"

const age = 2
const password = "correct horse battery staple"

it("a process accepts a session that another one has ended for at most store.session_cache_age", async () => {
  const store = { ...(await freshStore()), session_cache: 100, session_cache_age: age }
  const [here, elsewhere] = [await start({ store }), await start({ store })]
  const { cookie = "" } = await here.call("/sign-up/email", { email: "ada@example.com", password })
  const emailAt = async (program: typeof here) => (await program.call("/get-session", undefined, { cookie })).body.user?.email

  for (const program of [here, elsewhere]) expect(await emailAt(program)).toBe("ada@example.com")
  const began = performance.now()
  await here.call("/sign-out", {}, { cookie })
  expect(await emailAt(here)).toBeUndefined()
  await pause(age * 1000 + 1 - (performance.now() - began))
  expect(await emailAt(elsewhere)).toBeUndefined()
})

it("a session is read from the database once within store.session_cache_age", async () => {
  const store = { ...(await freshStore()), session_cache: 100, session_cache_age: 60 }
  const program = await start({ store })
  const { cookie = "" } = await program.call("/sign-up/email", { email: "ada@example.com", password })
  const email = async () => (await program.call("/get-session", undefined, { cookie })).body.user?.email

  expect(await email()).toBe("ada@example.com")
  await sql(store.url, `DELETE FROM ${"schema" in store ? `${store.schema}.` : ""}"session"`)
  expect(await email()).toBe("ada@example.com")
})
