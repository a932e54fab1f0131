import { expect, it } from "vitest"
import { providerName } from "../../../client/elements/provider-name.ts"

it.each([
  ["github", "GitHub"],
  ["google", "Google"],
  ["my_company", "My company"],
  ["constructor", "Constructor"],
  ["toString", "ToString"],
])("the provider %s is called %s", (id, name) => {
  expect(providerName(id)).toBe(name)
})
