import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isRedirectUri, isSameRedirectUri, redirection } from "../../../../domain/values/redirect-uri.ts"
import { browser } from "../../../world.ts"
import { oauth2Authorize, oauth2AuthorizeForm, requests, rule, signedUp } from "./provider.ts"

/** URIs that an attacker tries in order to receive the codes of https://spa.example.com/callback and http://127.0.0.1/callback for themselves. */
const hostile: ReadonlyArray<string> = [
  ...["", " ", "/callback", "callback", "//spa.example.com/callback", "https:", "https://", "https:///callback", "null", "undefined"],
  // Prefixes and suffixes.
  ...[
    "https://spa.example.com/callbac",
    "https://spa.example.com/callbackx",
    "https://spa.example.com/callback/",
    "https://spa.example.com/",
  ],
  ...["https://spa.example.com", "https://spa.example.com/callback/x", "https://spa.example.com.evil.com/callback"],
  ...[
    "https://evil-spa.example.com/callback",
    "https://x.spa.example.com/callback",
    "https://example.com/callback",
    "https://evil.com/callback",
  ],
  ...[
    "https://spa.example.comx/callback",
    "https://evil.com/https://spa.example.com/callback",
    "https://evil.com/?https://spa.example.com/callback",
  ],
  // Users, ports, schemes.
  ...["https://spa.example.com@evil.com/callback", "https://evil.com@spa.example.com/callback", "https://:@spa.example.com/callback"],
  ...[
    "https://spa.example.com:443@evil.com/callback",
    "https://spa.example.com%40evil.com/callback",
    "https://spa.example.com:443/callback",
  ],
  ...["https://spa.example.com:8443/callback", "https://spa.example.com:/callback", "http://spa.example.com/callback"],
  ...[
    "javascript:alert(1)",
    "javascript://spa.example.com/callback%0aalert(1)",
    "data:text/html,x",
    "spa://spa.example.com/callback",
    "file:///callback",
  ],
  ...["blob:https://spa.example.com/callback", "view-source:https://spa.example.com/callback", "ftp://127.0.0.1/callback"],
  // Fragments, queries.
  ...["https://spa.example.com/callback#", "https://spa.example.com/callback#x", "https://evil.com/#https://spa.example.com/callback"],
  ...[
    "https://spa.example.com/callback?",
    "https://spa.example.com/callback?x=1",
    "https://spa.example.com/callback;x",
    "https://spa.example.com/callback%23",
  ],
  // Dots, encodings.
  ...[
    "https://spa.example.com/../callback",
    "https://spa.example.com/x/../callback",
    "https://spa.example.com/callback/..",
    "https://spa.example.com/./callback",
  ],
  ...[
    "https://spa.example.com/%2e%2e/callback",
    "https://spa.example.com/callback%2f..%2fx",
    "https://spa.example.com/c%61llback",
    "https://spa.example.com//callback",
  ],
  ...[
    "https://spa%2eexample.com/callback",
    "https://spa.example.com%2fcallback",
    "https%3A%2F%2Fspa.example.com%2Fcallback",
    "https://spa.example.com/callback%00",
  ],
  // Backslashes, blanks, control characters.
  ...["https://spa.example.com\\callback", "https:\\\\spa.example.com\\callback", "https://evil.com\\@spa.example.com/callback"],
  ...["https://spa.example.com\\.evil.com/callback", "https:/spa.example.com/callback", "https:spa.example.com/callback"],
  ...[
    " https://spa.example.com/callback",
    "https://spa.example.com/callback ",
    "\thttps://spa.example.com/callback",
    "https://spa.example.com/call\nback",
  ],
  ...["https://spa.example.com/callback\r\nset-cookie: a=b", "https://spa.example.com/callback\0", "https://spa.example\t.com/callback"],
  // Case, trailing dots, other scripts.
  ...[
    "HTTPS://spa.example.com/callback",
    "https://SPA.example.com/callback",
    "https://spa.example.com/Callback",
    "https://spa.example.com./callback",
  ],
  ...[
    "https://spa。example。com/callback",
    "https://ｓｐａ.example.com/callback",
    "https://spа.example.com/callback",
    "https://spa.example.com/cаllback",
  ],
  ...[
    "https://xn--sp-7cd.example.com/callback",
    "https://spa.exam\u00adple.com/callback",
    "https://spa.example.com/callback\u200b",
    "https://ⓢpa.example.com/callback",
  ],
  // Local and other hosts.
  ...[
    "http://localhost/callback",
    "http://localhost:3000/callback",
    "https://127.0.0.1/callback",
    "http://127.0.0.2/callback",
    "http://127.1/callback",
  ],
  ...[
    "http://2130706433/callback",
    "http://0x7f.0.0.1/callback",
    "http://0177.0.0.1/callback",
    "http://0.0.0.0/callback",
    "http://[::]/callback",
  ],
  ...["http://[::1]/callback", "http://[::1]:3000/callback", "http://[::ffff:127.0.0.1]/callback", "http://127.0.0.1.evil.com/callback"],
  ...[
    "http://127.0.0.1:3000.evil.com/callback",
    "http://127.0.0.1:3000@evil.com/callback",
    "http://127.0.0.1@evil.com:80/callback",
    "http://evil.com:80/callback",
  ],
  ...[
    "http://127.0.0.1:/callback",
    "http://127.0.0.1:x/callback",
    "http://127.0.0.1:-1/callback",
    "http://127.0.0.1:99999/callback",
    "http://127.0.0.1:3000",
  ],
  ...[
    "http://127.0.0.1:3000/",
    "http://127.0.0.1:3000/callback/",
    "http://127.0.0.1:3000/callback#",
    "http://127.0.0.1:3000/../callback",
    "http://127.0.0.1:3000\\callback",
  ],
  ...[
    "http://127.0.0.1:3000:3000/callback",
    "http://127.0.0.1:123456/callback",
    "http://127.0.0.1:3000/callback?x",
    "http://127.0.0.1 :3000/callback",
    "http://127.0.0.1:３000/callback",
  ],
  // URIs of other clients.
  ...["https://web.example.com/callback?tenant=a%20b", "https://narrow.example.com/"],
]

describe("a redirect_uri", () => {
  rule("that is not registered gets no redirect, whatever else is wrong with the request", function* () {
    const ada = yield* signedUp()
    for (const redirect_uri of new Set(hostile)) {
      for (const input of [
        { ...requests.spa, redirect_uri },
        { ...requests.spa, redirect_uri, response_type: "token", prompt: "none login", request: "x" },
        { client_id: "spa", redirect_uri },
        { ...requests.spa, redirect_uri: [redirect_uri, redirect_uri] },
        { ...requests.spa, redirect_uri: [requests.spa.redirect_uri, redirect_uri] },
      ]) {
        for (const [their, endpoint] of [
          [ada, oauth2Authorize],
          [browser(), oauth2AuthorizeForm],
        ] as const) {
          assert.strictEqual(yield* their.code(endpoint, input), "invalid_redirect_uri", JSON.stringify(input))
        }
      }
    }
  })

  rule("may have any port on a loopback address", function* () {
    const ada = yield* signedUp()
    for (const port of ["", ":80", ":1", ":3000", ":49152", ":65535"]) {
      const redirect_uri = `http://127.0.0.1${port}/callback`
      const { redirect } = yield* ada.body(oauth2Authorize, { ...requests.spa, redirect_uri })
      assert.isTrue(redirect.startsWith(`${redirect_uri}?code=`), redirect)
    }
  })

  it("on a loopback address matches with any port, and otherwise exactly", () => {
    const same = (registered: string, given: string) => isSameRedirectUri(registered, given)
    assert.isTrue(same("http://[::1]:1/x?a=1", "http://[::1]:2/x?a=1"))
    assert.isTrue(same("http://127.0.0.1", "http://127.0.0.1:5000"))
    assert.isTrue(same("http://127.0.0.1?a=1", "http://127.0.0.1:5000?a=1"))
    assert.isFalse(same("http://[::1]:1/x", "http://127.0.0.1:1/x"))
    assert.isFalse(same("http://[::1]:1/x?a=1", "http://[::1]:1/x?a=2"))
    assert.isFalse(same("http://localhost:1/x", "http://localhost:2/x"))
    assert.isTrue(same("http://localhost:1/x", "http://localhost:1/x"))
    assert.isFalse(same("https://127.0.0.1:1/x", "https://127.0.0.1:2/x"))
  })

  it("is registered with https, or with http on a loopback address, and must be unambiguous", () => {
    const good = ["https://a.example", "https://a.example:8443/x?y=1&z", "http://localhost:3000/x", "http://127.0.0.1/", "http://[::1]:1"]
    for (const uri of good) assert.isTrue(isRedirectUri(uri), uri)
    const bad = [
      "http://a.example/",
      "https://a.example/#",
      "https://a.example/#x",
      "https://u:p@a.example/",
      "https://u@a.example",
      "https://*.a.example/",
    ]
    const worse = [
      "javascript:alert(1)",
      "JavaScript://a.example",
      "data:,x",
      "app:/x",
      "https:a.example",
      "https://a.example\\x",
      "https://a b/",
      "https://ä.example/",
    ]
    const blank = [
      "",
      "https://",
      "http://localhost.evil.com/",
      "http://127.0.0.2/",
      " https://a.example",
      "https://a.example/\n",
      "//a.example",
      "/x",
    ]
    for (const uri of [...bad, ...worse, ...blank]) assert.isFalse(isRedirectUri(uri), uri)
  })

  it("keeps its query", () => {
    assert.strictEqual(redirection("https://a.example", { code: "a b&", state: undefined }), "https://a.example?code=a+b%26")
    assert.strictEqual(redirection("https://a.example/?x=%20", { code: "1" }), "https://a.example/?x=%20&code=1")
    assert.strictEqual(redirection("https://a.example/?", { code: "1" }), "https://a.example/?code=1")
    assert.strictEqual(redirection("https://a.example/?x&", { code: "1", iss: "i" }), "https://a.example/?x&code=1&iss=i")
  })

  rule("is compared only for a known client", function* () {
    const ada = yield* signedUp()
    for (const client_id of [undefined, "", "unknown", "SPA", "spa ", "spa\0", ["spa", "spa"], ["spa"], "__proto__", "constructor"]) {
      const input = { ...requests.spa, ...(client_id === undefined ? { client_id: "" } : { client_id }) }
      assert.strictEqual(yield* ada.code(oauth2Authorize, input), "invalid_client", String(client_id))
    }
    const { client_id: _, ...without } = requests.spa
    const error = yield* Effect.flip(ada.call(oauth2Authorize, without))
    assert.deepStrictEqual([error._tag, error.status], ["invalid_client", 400])
    const { redirect_uri: __, ...nowhere } = requests.spa
    assert.strictEqual((yield* Effect.flip(ada.call(oauth2Authorize, nowhere))).status, 400)
  })
})
