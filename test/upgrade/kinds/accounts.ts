import { kind, of, password } from "../calls.ts"

/** Users, passwords, sessions and profiles. */
export const accounts = kind({
  fill: async ({ ok, verified, signUp }) => {
    const ada = await verified("ada")
    await ok("/username/set", { username: "heidi" }, await signUp("heidi"))
    const lena = await signUp("lena")
    await ok("/update-user", { name: "Lena L.", image: "https://example.com/lena.png", locale: "de" }, lena)
    const revoked = (await ok("/sign-in/email", of("lena"))).token
    await ok("/sign-out", {}, revoked)
    await ok("/delete-user", { password }, await signUp("gone"))
    await ok("/change-password", { current_password: password, new_password: `${password} 2` }, await signUp("mike"))
    return {
      ada,
      lena,
      revoked,
      jwt: (await ok("/token", undefined, ada)).body["token"] as string,
      oneTime: (await ok("/one-time-token/generate", {}, ada)).body["token"] as string,
    }
  },
  checks: ({ call, statusOf }, { ada, lena, revoked, jwt, oneTime }) => ({
    "a session": async () => (await call("/get-session", undefined, ada)).body["user"].email === of("ada").email,
    "a list of sessions": async () => (await call("/list-sessions", undefined, ada)).body["sessions"].length === 1,
    "a session that was ended": async () => (await call("/get-session", undefined, revoked)).body["user"] === null,
    "a profile": async () => {
      const { user } = (await call("/get-session", undefined, lena)).body
      return user.name === "Lena L." && user.image === "https://example.com/lena.png" && user.locale === "de"
    },
    "a linked account": async () => (await call("/list-accounts", undefined, ada)).body["accounts"].length === 1,
    "a password": () => statusOf("/sign-in/email", of("ada")),
    "a wrong password": async () => (await statusOf("/sign-in/email", { ...of("ada"), password: "wrong" })) === 401,
    "a password that was changed": async () =>
      (await statusOf("/sign-in/email", of("mike"))) === 401 &&
      (await statusOf("/sign-in/email", { ...of("mike"), password: `${password} 2` })) === 200,
    "a user name": () => statusOf("/sign-in/username", { username: "heidi", password }),
    "a user who was removed": async () => (await statusOf("/sign-in/email", of("gone"))) === 401,
    "a step-up with the password": () => statusOf("/step-up", { password }, lena),
    "a JWT": () => statusOf("/token/verify", { token: jwt }),
    "a one-time token": () => statusOf("/one-time-token/verify", { token: oneTime }),
    "a new user": () => statusOf("/sign-up/email", { ...of("new"), name: "New" }),
    "the removal of a user": async () => statusOf("/delete-user", { password }, (await call("/sign-in/email", of("heidi"))).token),
  }),
})
