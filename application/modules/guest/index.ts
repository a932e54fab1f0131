import { Guests } from "../../../domain/sign-in/guests.ts"
import * as Module from "../../service/module.ts"
import { mails } from "./emails.ts"
import { events, types } from "./events.ts"
import { GuestTokens, guestMerge, guestToken } from "./merge.ts"
import { visitEvery, visitGuests } from "./removal.ts"
import { signInGuest } from "./sign-in.ts"
import { GuestCodes, guestSendCode, guestUpgrade } from "./upgrade.ts"

/** Users without a credential, until they prove an address. */
export const guest = Module.define({
  name: "guest",
  events: types,
  mails,
  texts: async (tag) => (await import(`./texts/${tag}.json`, { with: { type: "json" } })).default,
  settings: Module.NoSettings,
  parts: () => ({
    tables: [Guests, GuestCodes, GuestTokens],
    endpoints: [signInGuest, guestSendCode, guestUpgrade, guestToken, guestMerge],
    rowEvents: events,
    background: [{ every: visitEvery, run: visitGuests }],
  }),
})
