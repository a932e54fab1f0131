import * as Module from "../../service/module.ts"
import { administration } from "./administration.ts"
import { mails } from "./emails.ts"
import * as Errors from "./errors.ts"
import { events, types } from "./events.ts"
import { heldById } from "./examine.ts"
import { mailEvery, mailExpiring } from "./expiry.ts"
import { countedKey, machineOf, organizationKeyOf } from "./machine.ts"
import { ownEndpoints } from "./own.ts"
import { report } from "./report.ts"
import { ApiKeySettings, faults } from "./settings.ts"
import { ApiKeyNotices, ApiKeySecrets, ApiKeys, ApiKeyUses } from "./tables.ts"
import { makeUses, writeEvery } from "./uses.ts"
import { verify } from "./verify.ts"

/** Keys for programs of users, organizations and service accounts. */
export const apiKey = Module.define({
  name: "api_key",
  errors: Object.values(Errors),
  events: types,
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: ApiKeySettings,
  faults,
  parts: (settings) => {
    const uses = makeUses()
    return {
      tables: [ApiKeys, ApiKeySecrets, ApiKeyNotices, ApiKeyUses],
      rowEvents: events,
      endpoints: [...ownEndpoints(settings), verify(settings, uses), report(settings), ...administration(settings)],
      takesApiKeys: true,
      machines: machineOf(settings, uses),
      organizationKeys: organizationKeyOf(settings, uses),
      machineGrants: heldById,
      countedMachine: countedKey(settings),
      background: [
        { every: writeEvery, run: uses.write },
        { every: mailEvery, run: mailExpiring },
      ],
    }
  },
})
