import { assert, describe, it } from "vitest"
import { credentialKindName } from "../../../../adapters/pages/components/credential-kinds.ts"
import { makeLanguages } from "../../../../adapters/texts/languages.ts"
import { modules } from "../../../everything.ts"
import { owned } from "../../../owned.ts"

const texts = await makeLanguages({}, owned.texts).load("en")
const named = (kind: string) => credentialKindName({ texts }, kind)

describe("the kinds of credentials", () => {
  it("have words for the names in events, linked accounts and tables of factors", () => {
    const inEvents = ["totp", "email_code", "sms_code", "backup_codes", "remembered_browser"]
    const ofAccounts = ["credential", "phone", "siwe"]
    const tables = modules.flatMap(({ reclaimedTables }) => reclaimedTables.flatMap(({ table, label }) => (label ? [table.name] : [])))
    for (const kind of [...inEvents, ...ofAccounts, ...tables])
      assert.notStrictEqual(named(kind).toLowerCase(), named(`${kind}x`).slice(0, -1).toLowerCase(), kind)
    assert.deepStrictEqual(["email_code", "google"].map(named), ["Codes by email", "Google"])
  })
})
