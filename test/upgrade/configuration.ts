import { appendFileSync } from "node:fs"
import { delayed } from "./held.ts"

// Imports nothing of the service, so that any release can read it.

/** Appends messages to a file. */
const writtenTo = (file: string) => ({
  send: async (message: { readonly to: string }) => {
    if (message.to === delayed) throw new Error("the mail server is away")
    appendFileSync(file, `${JSON.stringify(message)}\n`)
  },
})

export const settings = {
  secret: "the secret of the databases in this folder, 32+ bytes",
  public_url: "http://localhost:4350",
  email_password: { enabled: true, hash: { memory_kib: 1024, passes: 1, lanes: 1 } },
  rate_limit: { enabled: false },
  modules: {
    bearer: {},
    jwt: {},
    two_factor: {},
    username: {},
    organization: {},
    phone: {},
    magic_link: {},
    email_otp: {},
    one_time_token: {},
    audit: {},
  },
}

const { STORE_URL = "", MESSAGES = "messages.jsonl" } = process.env

export default {
  ...settings,
  store: { kind: STORE_URL.startsWith("mongodb") ? "mongo" : "postgres", url: STORE_URL },
  mail: writtenTo(MESSAGES),
  sms: writtenTo(MESSAGES),
}
