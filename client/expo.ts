import { type Client, type ClientOptions, clientOf } from "./client.ts"
import type { Failure, Result, TokenStore } from "./http.ts"
import type { Operations } from "./operations.ts"

/** What is used of `expo-secure-store`. */
interface SecureStore {
  readonly AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: number
  getItemAsync(key: string): Promise<string | null>
  setItemAsync(key: string, value: string, options: { readonly keychainAccessible: number }): Promise<void>
  deleteItemAsync(key: string): Promise<void>
}

/** What is used of `expo-web-browser`. */
interface WebBrowser {
  openAuthSessionAsync(url: string, redirectUrl: string, options: object): Promise<{ readonly type: string; readonly url?: string }>
}

/** What is used of `expo-crypto`: React Native has no `crypto`. */
interface Crypto {
  getRandomValues(array: Uint8Array<ArrayBuffer>): Uint8Array
  digestStringAsync(algorithm: string, text: string, options?: { readonly encoding: string }): Promise<string>
}

/** What is used of React Native's `AppState`. */
interface AppState {
  addEventListener(type: "change", listener: (state: string) => void): unknown
}

/** What is used of a `File` of `expo-file-system`. */
interface Marker {
  readonly exists: boolean
  create(): void
}

export interface ExpoClientOptions<All = Operations> extends Omit<ClientOptions<All>, "token"> {
  /** The service's `public_url`. */
  readonly baseUrl: string
  /** The service's `pages.path`. */
  readonly pagesPath?: string
  /** One of the service's `modules.bearer.redirects`. */
  readonly redirectUri: string
  /** `expo-secure-store`, which keeps the session's token. */
  readonly store: SecureStore
  /** A file in a directory that is removed with the app: iOS keeps the items of `store`. */
  readonly marker: Marker
  /** `expo-web-browser` */
  readonly browser: WebBrowser
  /** `expo-crypto` */
  readonly crypto: Crypto
  /** `AppState` of React Native */
  readonly appState: AppState
}

/** Why the browser returned no code. `cancelled`: the user closed it. `state_mismatch`: the answer belongs to another request. */
export type BrowserCode = "cancelled" | "state_mismatch" | "unsupported"

type Exchanged = Awaited<ReturnType<Operations["native"]["exchange"]>>
type Refused = Result<never, BrowserCode>

export type ExpoClient<All = Operations> = Client<All> & {
  /** Signs in on the service's pages, in the system's browser. Takes options of `openAuthSessionAsync`, such as `preferEphemeralSession`. */
  readonly $signIn: (options?: object) => Promise<Exchanged | Refused>
  /** Signs out, and removes the token also when the service cannot be reached. */
  readonly $signOut: () => ReturnType<Operations["signOut"]>
}

const key = "sallyport"

const keychain = (store: SecureStore, marker: Marker): TokenStore => {
  let clearing: Promise<void> | undefined
  const clear = async () => {
    if (marker.exists) return
    await store.deleteItemAsync(key)
    marker.create()
  }
  /** The token of an earlier installation can be that of an earlier owner of the device: nothing is read before it is removed. */
  const cleared = () => {
    clearing ??= clear().catch((error) => {
      clearing = undefined
      throw error
    })
    return clearing
  }
  return {
    get: async () => {
      await cleared()
      return store.getItemAsync(key)
    },
    set: async (token) => {
      await cleared()
      if (token === null) return store.deleteItemAsync(key)
      // Backups do not contain it: a session on two devices could be ended on neither alone.
      return store.setItemAsync(key, token, { keychainAccessible: store.AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY })
    },
  }
}

const refused = (code: BrowserCode, message: string) => {
  const error: Failure<BrowserCode> = { code, message, status: 0 }
  return { data: null, error, response: null }
}

/** A client for an app of Expo, which passes the modules that the client uses. */
export const createExpoClient = <All = Operations>({
  pagesPath = "/",
  redirectUri,
  store,
  marker,
  browser,
  crypto,
  appState,
  ...options
}: ExpoClientOptions<All>): ExpoClient<All> => {
  const token = keychain(store, marker)
  const client = clientOf<All>({ ...options, token }, true)
  const { native, signOut } = client as unknown as Operations
  const random = () => Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("")

  const $signIn = async (more?: object) => {
    try {
      const [state, code_verifier] = [random(), random()]
      const hash = await crypto.digestStringAsync("SHA-256", code_verifier, { encoding: "base64" })
      const code_challenge = hash.replaceAll("+", "-").replaceAll("/", "_").replace("=", "")
      const query = new URLSearchParams({ redirect_uri: redirectUri, state, code_challenge, code_challenge_method: "S256" })
      const page = `${options.baseUrl}${pagesPath === "/" ? "" : pagesPath}/native?${query}`
      const { type, url = "" } = await browser.openAuthSessionAsync(page, redirectUri, {
        preferUniversalLinks: redirectUri.startsWith("https:"),
        ...more,
      })
      if (type !== "success") return refused("cancelled", `The browser returned ${type}.`)
      const answer = new URL(url).searchParams
      if (answer.get("state") !== state) return refused("state_mismatch", "The answer belongs to another request.")
      return await native.exchange({ code: answer.get("code") ?? "", code_verifier })
    } catch (error) {
      return refused("unsupported", String(error))
    }
  }
  const $signOut = async () => {
    const result = await signOut()
    try {
      await token.set(null)
      client.$session.hydrate({ status: "anonymous" })
    } catch {
      // The call has failed too, since it removes the token itself.
    }
    return result
  }

  appState.addEventListener("change", (state) => {
    if (state === "active") client.$session.refresh()
  })
  return Object.assign(client, { $signIn, $signOut })
}
