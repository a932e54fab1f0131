import { expect, it } from "vitest"
import { createSSRApp, h } from "vue"
import { renderToString } from "vue/server-renderer"
import { createClient } from "../../../client/index.ts"
import "../../../client/elements/user-button.ts"

it("Vue renders an element on a server, with its link and without the client", async () => {
  const link = h("a", { href: "/sign-in" }, "Sign in")
  const app = createSSRApp({ render: () => h("sallyport-user-button", { client: createClient(), accounts: true }, [link]) })
  const rendered = await renderToString(app)
  expect(rendered).toBe('<sallyport-user-button accounts="true"><a href="/sign-in">Sign in</a></sallyport-user-button>')
})
