import { createHash, randomFillSync } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ExpoClientOptions } from "../../client/expo.ts"
import { createExpoClient } from "../../client/expo.ts"
import { base, port } from "../adapters/http/served.ts"
import { browse, signUp, withPages } from "../adapters/pages/browse.ts"
import { password } from "../world.ts"

const redirectUri = "com.example.app:/auth"

/** `expo-secure-store`, with its own checks. */
const keychain = () => {
  const items = new Map<string, string>()
  const valid = (key: string) => assert.match(key, /^[\w.-]+$/)
  return {
    items,
    AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: 1,
    getItemAsync: async (key: string) => {
      valid(key)
      return items.get(key) ?? null
    },
    setItemAsync: async (key: string, value: string, { keychainAccessible }: { readonly keychainAccessible: number }) => {
      valid(key)
      assert.strictEqual(keychainAccessible, 1)
      items.set(key, value)
    },
    deleteItemAsync: async (key: string) => {
      valid(key)
      items.delete(key)
    },
  }
}

/** A `File` of `expo-file-system`. */
const file = () => {
  const marker = { exists: false, create: () => {} }
  marker.create = () => {
    assert.isFalse(marker.exists, "the file exists")
    marker.exists = true
  }
  return marker
}

/** `expo-crypto` */
const crypto = {
  getRandomValues: (array: Uint8Array<ArrayBuffer>) => randomFillSync(array),
  digestStringAsync: async (algorithm: string, text: string, { encoding }: { readonly encoding: string }) => {
    assert.strictEqual(algorithm, "SHA-256")
    return createHash("sha256")
      .update(text)
      .digest(encoding as "base64")
  },
}

/** React Native's `AppState`. */
const appStates = () => {
  const listeners: Array<(state: string) => void> = []
  return {
    addEventListener: (type: "change", listener: (state: string) => void) => {
      assert.strictEqual(type, "change")
      listeners.push(listener)
    },
    become: (state: string) => {
      for (const listener of listeners) listener(state)
    },
  }
}

/** A device, with the browser of a user who signs in by password, and what the app of the test does to its modules. */
const device = Effect.fnUntraced(function* (email: string, changes: Partial<ExpoClientOptions> = {}) {
  const run = Effect.runPromiseWith(yield* Effect.context<Effect.Services<ReturnType<typeof signUp>>>())
  const baseUrl = `http://127.0.0.1:${yield* port}`
  yield* signUp(browse(), email)
  const their = browse()
  const opened: Array<{ readonly url: URL; readonly options: object }> = []
  const requests: Array<{ readonly path: string; readonly headers: Headers }> = []
  const parts = { store: keychain(), marker: file(), appState: appStates(), network: true }
  const openAuthSessionAsync = async (url: string, target: string, options: object) => {
    assert.strictEqual(target, redirectUri)
    opened.push({ url: new URL(url), options })
    const first = await run(their.open(url.slice(baseUrl.length)))
    const page = first.at.startsWith("/sign-in") ? await run(their.press(first, "password", { identifier: email, password })) : first
    const { html } = await run(their.press(page, "continue"))
    return { type: "success", url: (/http-equiv="refresh" content="0; url=([^"]*)"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&") }
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push({ path: new URL(String(input)).pathname.slice(base.length), headers: new Headers(init?.headers) })
    assert.strictEqual(init?.credentials, "omit")
    if (!parts.network) throw new TypeError("Network request failed")
    return globalThis.fetch(input, init)
  }
  const options = { baseUrl, redirectUri, fetch, crypto, browser: { openAuthSessionAsync }, ...parts, ...changes }
  const start = (more: Partial<ExpoClientOptions> = {}) => createExpoClient({ ...options, ...more })
  return { ...parts, parts, client: start(), start, openAuthSessionAsync, opened, requests }
})

const state = async ({ $session }: ReturnType<typeof createExpoClient>) => (await $session.refresh()).status

describe("a client of Expo", () => {
  layer(withPages(), { excludeTestServices: true })((it) => {
    const test = (
      name: string,
      use: (phone: Effect.Success<ReturnType<typeof device>>) => Promise<void>,
      email = `${name.replaceAll(/\W+/g, "-").slice(0, 40)}@example.com`,
    ) => it.effect(name, () => Effect.flatMap(device(email), (phone) => Effect.promise(() => use(phone))))

    test(
      "signs in through the browser, and keeps one item of at most 200 bytes",
      async ({ client, opened, store, requests, marker }) => {
        const states: Array<string> = []
        client.$session.subscribe(() => states.push(client.$session.get().status))
        const { data, error } = await client.$signIn({ preferEphemeralSession: true })
        assert.deepStrictEqual([error, data?.user.email], [null, "phone@example.com"])
        const [{ url, options }] = opened as [(typeof opened)[0]]
        assert.deepStrictEqual([...url.searchParams.keys()], ["redirect_uri", "state", "code_challenge", "code_challenge_method"])
        assert.deepStrictEqual([opened.length, url.pathname, url.searchParams.get("code_challenge_method")], [1, "/native", "S256"])
        assert.deepStrictEqual(options, { preferUniversalLinks: false, preferEphemeralSession: true })

        const [item, ...others] = [...store.items]
        assert.deepStrictEqual([item?.[0], others, marker.exists], ["sallyport", [], true])
        assert.isAtMost(Buffer.byteLength(item?.[1] ?? ""), 200)
        assert.strictEqual(await state(client), "authenticated")
        assert.deepStrictEqual(states.slice(-1), ["authenticated"])
        assert.strictEqual(requests.at(-1)?.headers.get("authorization"), `Bearer ${item?.[1]}`)
        assert.strictEqual((await client.updateUser({ name: "Ada" })).data?.user.name, "Ada")
      },
      "phone@example.com",
    )

    test("asks for a universal link where the redirect URI is https", async ({ start }) => {
      let [page, target, options]: Array<unknown> = []
      const browser = {
        openAuthSessionAsync: async (...args: ReadonlyArray<unknown>) => {
          ;[page, target, options] = args
          return { type: "cancel" }
        },
      }
      await start({ redirectUri: "https://app.example.com/auth", pagesPath: "/account", browser }).$signIn()
      assert.match(String(page), /^http:\/\/127\.0\.0\.1:\d+\/account\/native\?redirect_uri=https%3A%2F%2Fapp\.example\.com%2Fauth&/)
      assert.deepStrictEqual([target, options], ["https://app.example.com/auth", { preferUniversalLinks: true }])
    })

    test("continues without a password while the browser is signed in, with another state and verifier", async ({ client, opened }) => {
      await client.$signIn()
      await client.$signOut()
      assert.isNull((await client.$signIn()).error)
      for (const name of ["state", "code_challenge"])
        assert.strictEqual(new Set(opened.map(({ url }) => url.searchParams.get(name))).size, 2)
    })

    test("exchanges no code with another state", async ({ start, openAuthSessionAsync, requests, store }) => {
      for (const wrong of ["state=x", "state=", "x"]) {
        const browser = {
          openAuthSessionAsync: async (...args: Parameters<typeof openAuthSessionAsync>) => {
            const { type, url } = await openAuthSessionAsync(...args)
            return { type, url: url.replace(/state=\w+/, wrong) }
          },
        }
        const { data, error } = await start({ browser }).$signIn()
        assert.deepStrictEqual([data, error?.code, error?.status], [null, "state_mismatch", 0], wrong)
      }
      assert.deepStrictEqual([requests, store.items.size], [[], 0])
    })

    test("says that the user closed the browser, or that there is none", async ({ start, requests }) => {
      const code = async (open: () => Promise<{ readonly type: string }>) =>
        (await start({ browser: { openAuthSessionAsync: open } }).$signIn()).error?.code
      for (const type of ["cancel", "dismiss", "locked"]) assert.strictEqual(await code(async () => ({ type })), "cancelled", type)
      assert.strictEqual(await code(() => Promise.reject(new Error("no browser"))), "unsupported")
      assert.deepStrictEqual(requests, [])
    })

    test("gets no token for a code that was used", async ({ client, start, openAuthSessionAsync, store }) => {
      let used = ""
      const replayed = {
        openAuthSessionAsync: async (...args: Parameters<typeof openAuthSessionAsync>) => {
          const { type, url } = await openAuthSessionAsync(...args)
          const code = new URL(url).searchParams.get("code") ?? ""
          if (used === "") used = code
          return { type, url: url.replace(code, used) }
        },
      }
      const first = start({ browser: replayed })
      assert.isNull((await first.$signIn()).error)
      await first.$signOut()
      const { error } = await first.$signIn()
      assert.deepStrictEqual([error?.code, error?.status, store.items.size], ["invalid_token", 400, 0])
      assert.isNull((await client.getSession()).data?.session)
    })

    test("removes the token of an earlier installation before its first request", async ({ client, start, store, requests }) => {
      await client.$signIn()
      assert.deepStrictEqual([await state(client), await state(start())], ["authenticated", "authenticated"])
      const marker = file()
      requests.length = 0
      const reinstalled = start({ marker })
      const both = await Promise.all([reinstalled.getSession(), reinstalled.getSession()])
      assert.deepStrictEqual(
        both.map(({ data }) => data?.session),
        [null, null],
      )
      assert.deepStrictEqual([store.items.size, marker.exists], [0, true])
      assert.isTrue(requests.every(({ headers }) => !headers.has("authorization")))
    })

    test("sends no token while that of an earlier installation cannot be removed", async ({ client, start, store, requests }) => {
      await client.$signIn()
      await client.$session.refresh()
      requests.length = 0
      const faults = ["file", "keychain"]
      const deleteItemAsync = (key: string) => (faults.shift() ? Promise.reject(new Error("locked")) : store.deleteItemAsync(key))
      const marker = file()
      const unreadable = {
        create: marker.create,
        get exists() {
          if (faults[0] === "file") throw new Error(faults.shift())
          return marker.exists
        },
      }
      const reinstalled = start({ marker: unreadable, store: { ...store, deleteItemAsync } })
      for (const _ of [...faults]) assert.strictEqual((await reinstalled.getSession()).error?.code, "network_error")
      assert.deepStrictEqual([requests, marker.exists, faults], [[], false, []])
      assert.isNull((await reinstalled.getSession()).data?.session)
      assert.strictEqual(store.items.size, 0)
    })

    test("reads the session again when the app becomes active", async ({ client, start, appState, requests, store }) => {
      await client.$signIn()
      const ended = new Promise<void>((resolve) =>
        client.$session.subscribe(() => client.$session.get().status === "anonymous" && resolve()),
      )
      assert.strictEqual(await state(client), "authenticated")
      const elsewhere = keychain()
      elsewhere.items.set("sallyport", store.items.get("sallyport") ?? "")
      const other = start({ appState: appStates(), store: elsewhere })
      await other.revokeSessions()
      assert.strictEqual(await state(other), "anonymous")

      const before = requests.length
      for (const inactive of ["background", "inactive"]) appState.become(inactive)
      await new Promise(setImmediate)
      assert.strictEqual(requests.length, before)
      appState.become("active")
      await ended
    })

    test("signs out, also without a network", async ({ client, parts, store }) => {
      await client.$signIn()
      const token = store.items.get("sallyport") ?? ""
      assert.isNull((await client.$signOut()).error)
      assert.deepStrictEqual([store.items.size, client.$session.get().status], [0, "anonymous"])
      store.items.set("sallyport", token)
      assert.strictEqual(await state(client), "anonymous")

      await client.$signIn()
      parts.network = false
      assert.strictEqual((await client.$signOut()).error?.code, "network_error")
      assert.deepStrictEqual([store.items.size, client.$session.get().status], [0, "anonymous"])
    })
  })
})
