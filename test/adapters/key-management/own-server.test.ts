import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { sallyport } from "../../../adapters/assembly/own-server.ts"
import { layer } from "../../../adapters/key-management/layer.ts"
import { wrapSecret } from "../../../adapters/key-management/secrets.ts"
import { serve } from "./server.ts"
import { makeVault } from "./vault.ts"

it("a service in your own server unwraps its secret, and is rejected without the key management", async () => {
  const vault = makeVault()
  const server = await serve(vault)
  const settings = vault.settings(server.origin)
  if (settings.kind !== "vault") return expect.fail()
  const key_management = { ...settings, token: Redacted.value(settings.token) }
  const wrap = (text: string) =>
    Effect.runPromise(Effect.provide(wrapSecret(Redacted.make(text), { key_management: settings }), layer({ key_management: settings })))
  const start = (secret: string) =>
    sallyport({
      ...{ secret, key_management },
      ...{ store: { kind: "memory" }, mail: { kind: "none" }, sms: { kind: "none" }, email_password: { enabled: true } },
    })

  const secret = await wrap("a secret of thirty-two bytes or more")
  const service = start(secret)
  const answer = await service.call.signUpEmail({ input: { email: "ada@example.com", password: "correct horse battery staple" } })
  expect(answer.error).toBeNull()
  await service.close()

  await expect(wrap("a short secret")).rejects.toMatchObject({ _tag: "KeyManagementRefused", reason: "it has fewer than 32 bytes" })
  await expect(start(`${secret.slice(0, -20)}${"A".repeat(20)}`).ready()).rejects.toMatchObject({ _tag: "KeyManagementRefused" })
  await server.close()
  await expect(start(secret).ready()).rejects.toMatchObject({ _tag: "KeyManagementUnavailable", reason: "ECONNREFUSED" })
}, 30_000)
