import { api, fast, hashing, type Operation, post } from "../operation.ts"
import { seconds } from "../options.ts"
import { counter } from "../requests.ts"
import { code, emailOf } from "../seed.ts"
import { password } from "../service.ts"

/** The largest number of sign-ins by code in one round: each needs a code and a user of its own. */
const codes = seconds * 3000

export const signIns: ReadonlyArray<Operation> = [
  {
    name: "sign-in",
    title: "POST /sign-in/email",
    connections: hashing,
    requests: async ({ users }) => (await users()).map(({ email }) => post(`${api}/sign-in/email`, { email, password })),
    expects: '"user":{',
  },
  {
    name: "code",
    title: "POST /sign-in/email-otp",
    modules: ["email_otp"],
    connections: fast,
    requests: async ({ seedUpTo }) => {
      await seedUpTo(codes)
      return Array.from({ length: codes }, (_, index) => post(`${api}/sign-in/email-otp`, { email: emailOf(index), otp: code }))
    },
    refill: ({ putCodes }) => putCodes(Array.from({ length: codes }, (_, index) => emailOf(index))),
    needsOpenDatabase: true,
  },
  {
    name: "sign-up",
    title: "POST /sign-up/email",
    connections: hashing,
    requests: async () => [post(`${api}/sign-up/email`, { email: `new${counter}@example.com`, password, name: "New" })],
  },
]
