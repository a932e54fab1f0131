import { kind, of, password } from "../calls.ts"

const [phone, second] = ["+14155552671", "+14155552672"]

/** Links and codes in mails and short messages. */
export const messages = kind({
  fill: async ({ ok, verified, signUp, tokenTo, codeTo }) => {
    const carol = await signUp("carol")
    await ok("/send-verification-email", { email: of("carol").email })
    await signUp("dan")
    await ok("/request-password-reset", { email: of("dan").email })
    const nina = await verified("nina")
    await ok("/change-email", { new_email: of("nina.new").email }, nina)
    await ok("/send-verification-email", { email: of("nina.new").email })
    await ok("/magic-link/send", { email: of("erin").email })
    await ok("/email-otp/send", { email: of("frank").email })
    await ok("/phone/send-otp", { phone }, nina)
    const oscar = await signUp("oscar")
    await ok("/phone/send-otp", { phone: second }, oscar)
    await ok("/phone/verify", { phone: second, otp: await codeTo(second) }, oscar)
    return {
      nina,
      carol,
      verification: await tokenTo(of("carol").email),
      reset: await tokenTo(of("dan").email),
      change: await tokenTo(of("nina.new").email),
      magicLink: await tokenTo(of("erin").email),
      emailCode: await codeTo(of("frank").email),
      phoneCode: await codeTo(phone),
    }
  },
  checks: ({ call, statusOf }, held) => ({
    "a verification link": () => statusOf("/verify-email", { token: held.verification }),
    "a verification link that was used": async () => (await statusOf("/verify-email", { token: held.verification })) === 400,
    "a verified address": async () => (await call("/get-session", undefined, held.carol)).body["user"].email_verified === true,
    "a reset link": () => statusOf("/reset-password", { token: held.reset, new_password: `${password} 2` }),
    "a changed address": () => statusOf("/sign-in/email", of("nina.new")),
    "a link to a changed address": () => statusOf("/verify-email", { token: held.change }),
    "a magic link": () => statusOf("/magic-link/verify", { token: held.magicLink }),
    "a code by mail": () => statusOf("/sign-in/email-otp", { email: of("frank").email, otp: held.emailCode }),
    "a code by SMS": () => statusOf("/phone/verify", { phone, otp: held.phoneCode }, held.nina),
    "a verified phone number": async () => (await statusOf("/phone/send-otp", { phone: second })) === 200,
  }),
})
