import { setTimeout } from "node:timers/promises"
import { kind, of, password } from "../calls.ts"

/** What administrators have done. */
export const operators = kind({
  fill: async ({ ok, verified, signedUp, tokenTo }) => {
    // The password from before the verification of an administrator's address is removed.
    await verified("root")
    await ok("/request-password-reset", { email: of("root").email })
    await ok("/reset-password", { token: await tokenTo(of("root").email, /reset-password/), new_password: password })
    const root = (await ok("/sign-in/email", of("root"))).token
    const banned = await signedUp("victor")
    const [user_id, promoted] = [banned.body["user"].id, (await signedUp("wendy")).body["user"].id]
    await ok("/admin/ban-user", { user_id, reason: "spam" }, root)
    const until = { user_id: (await signedUp("yves")).body["user"].id, reason: "a pause", expires_in: 10 }
    await ok("/admin/ban-user", until, root)
    await ok("/admin/set-role", { user_id: promoted, role: "admin" }, root)
    await ok("/admin/create-user", { ...of("made"), name: "Made" }, root)
    const stored = { url: "https://hooks.example.com/", types: ["organization.created"] }
    const webhook = (await ok("/admin/webhooks/create", stored, root)).body["webhook"].id as string
    return { root, banned: banned.token, victor: user_id as string, webhook }
  },
  checks: ({ call, statusOf }, { root, banned, victor, webhook }) => ({
    "an administrator": async () => (await call("/admin/list-users?search=victor", undefined, root)).body["users"].length === 1,
    "an administrator by role": async () => statusOf("/admin/list-users", undefined, (await call("/sign-in/email", of("wendy"))).token),
    "a user whom an administrator made": () => statusOf("/sign-in/email", of("made")),
    "a ban": async () =>
      (await statusOf("/sign-in/email", of("victor"))) === 403 && (await call("/get-session", undefined, banned)).body["user"] === null,
    "a ban that is over": () => statusOf("/sign-in/email", of("yves")),
    "the end of a ban": async () =>
      (await statusOf("/admin/unban-user", { user_id: victor }, root)) === 200 && statusOf("/sign-in/email", of("victor")),
    "the audit log of a user": async () => (await call("/audit/list", undefined, root)).body["entries"].length > 0,
    "the audit log": async () =>
      (await call("/admin/audit/list?type=user.banned", undefined, root)).body["entries"].some(
        ({ subject }: { readonly subject: { readonly id: string } }) => subject.id === victor,
      ),
    "a webhook of an administrator": () => statusOf("/admin/webhooks/rotate-secret", { webhook_id: webhook }, root),
    "a password of an administrator": () => statusOf("/step-up", { password }, root),
  }),
})

/** Events that wait for a receiver, which is away while `fill` runs. Filled last: after two attempts the next one is due in five minutes. */
export const deliveries = kind({
  fill: async ({ ok, signedUp }) => {
    const user_id = (await signedUp("xena")).body["user"].id as string
    await ok("/admin/ban-user", { user_id, reason: "spam" }, (await ok("/sign-in/email", of("root"))).token)
    return { xena: user_id }
  },
  checks: ({ delivered }, { xena }) => ({
    "events that wait for the receiver of a webhook": async () => {
      const isDelivered = () => delivered().some((body) => body.includes(xena))
      for (let left = 150; left > 0 && !isDelivered(); left--) await setTimeout(100)
      return isDelivered()
    },
  }),
})
