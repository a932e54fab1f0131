import { Wallet } from "ethers"
import { parts, written } from "../../siwe.ts"
import { type Call, kind, of } from "../calls.ts"

const wallet = new Wallet(`0x${"a1".repeat(32)}`)

const signedMessage = async (nonce: string, at: number) => {
  const issuedAt = new Date(at).toISOString()
  const message = written({ ...parts, domain: "localhost:4350", uri: "http://localhost:4350/", issuedAt, address: wallet.address, nonce })
  return { message, signature: await wallet.signMessage(message) }
}
const nonce = async (call: Call): Promise<string> => (await call("/siwe/nonce")).body["nonce"]

/** A sign-in at the provider of the configuration, up to its redirect back. */
const begun = async (call: Call, path = "/sign-in/social", as?: string) => {
  const { body, cookie } = await call(path, { provider: "elsewhere" }, as)
  return { state: new URL(body["url"] ?? body["redirect"]).searchParams.get("state") ?? "", cookie }
}
type Flow = Awaited<ReturnType<typeof begun>>
const back = (call: Call, { state, cookie }: Flow, code: string, headers = {}) =>
  call(`/oauth/callback?${new URLSearchParams({ state, code })}`, undefined, { cookie, ...headers })

/** The cookies of a browser that got these, the later ones in place of earlier ones of their name. */
const together = (...all: ReadonlyArray<string>) =>
  Array.from(new Map(all.flatMap((each) => each.split("; ")).map((each) => [each.split("=")[0], each])).values()).join("; ")

/** What a browser holds in cookies, social accounts and wallets. */
export const browsers = kind({
  fill: async ({ ok, signedUp, signUp }) => {
    const rita = (await signedUp("rita")).cookie
    const sam = (await ok("/sign-up/email", { ...of("sam"), name: "sam" }, { cookie: rita })).cookie
    const olivia = await back(ok, await begun(ok), "olivia")
    const walter = await ok("/siwe/verify", await signedMessage(await nonce(ok), Date.now()))
    const tina = await signUp("tina")
    return {
      cookies: together(rita, sam),
      olivia: { id: olivia.body["user"].id as string, token: olivia.token },
      walter: walter.body["user"].id as string,
      nonce: await nonce(ok),
      flow: await begun(ok),
      tina,
      link: await begun(ok, "/link-social", tina),
    }
  },
  checks: ({ call, statusOf, now }, held) => {
    const sessions = async () => (await call("/multi-session/list", undefined, { cookie: held.cookies })).body["sessions"]
    return {
      "a session cookie": async () =>
        (await call("/get-session", undefined, { cookie: held.cookies })).body["user"].email === of("sam").email,
      "two accounts in one browser": async () => (await sessions()).length === 2,
      "a change to the other account": async () => {
        const { session_id } = (await sessions()).find((each: { readonly active: boolean }) => !each.active)
        return statusOf("/multi-session/set-active", { session_id }, { cookie: held.cookies })
      },
      "a social sign-in that has begun": async () => (await back(call, held.flow, "peggy")).status,
      "a social account": async () => (await back(call, await begun(call), "olivia")).body["user"].id === held.olivia.id,
      "a stored token of the provider": async () => {
        const [account] = (await call("/list-accounts", undefined, held.olivia.token)).body["accounts"]
        const found = await call(`/accounts/access-token?id=${account.id}`, undefined, held.olivia.token)
        return found.body["access_token"] === "token-of-olivia"
      },
      "a link of an account that has begun": async () =>
        (await back(call, held.link, "trent", { authorization: `Bearer ${held.tina}` })).status,
      "the nonce of a wallet": async () => statusOf("/siwe/verify", await signedMessage(held.nonce, now())),
      "a wallet": async () => (await call("/siwe/verify", await signedMessage(await nonce(call), now()))).body["user"].id === held.walter,
    }
  },
})
