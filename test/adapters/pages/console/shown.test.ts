import { html } from "@remix-run/html-template"
import { describe, expect, it } from "vitest"
import { shownAttributes } from "../../../../adapters/pages/console/parts/attributes.ts"
import { editing } from "../../../../adapters/pages/console/parts/body.ts"
import { dayName } from "../../../../adapters/pages/console/parts/days.ts"
import { table } from "../../../../adapters/pages/console/parts/table.ts"
import { id, words } from "../../../../adapters/pages/console/parts/values.ts"
import { states } from "../states/index.ts"
import { viewOf } from "../states/rendered.ts"

const console = states.find(({ header }) => header !== undefined)
const view = (tag: string) => viewOf(console as NonNullable<typeof console>, tag)

describe("what the console shows", () => {
  it("is a table without the columns that no row has anything for", () => {
    const shown = (mayEnd: boolean) =>
      String(
        table({
          caption: "Sessions",
          columns: [
            { label: "Device", cell: (device: string) => device },
            { label: "Actions", cell: (device) => (device === "b" ? html`${mayEnd ? html`<button>End</button>` : []}` : null) },
          ],
          rows: ["a", "b"],
          empty: "",
        }),
      )
    expect(shown(true)).toContain(">Actions</th>")
    expect(shown(false)).not.toContain("Actions")
  })

  it("is the values of attributes in words", async () => {
    const attributes = { newsletter: true, tags: ["a", "<b>"], seats: 3 }
    const shown = shownAttributes(await view("de"), { attributes }).map(([name, value]) => `${name}: ${value}`)
    expect(shown).toEqual(["newsletter: Ja", "tags: <bdi>a</bdi> und <bdi>&lt;b&gt;</bdi>", "seats: <bdi>3</bdi>"])
  })

  it("is a name apart from the sentence of a heading", async () =>
    expect(String(editing(await view("ar"), "a (b)").heading)).toBe("تعديل <bdi>a (b)</bdi>"))

  it("is a day in the language of the page, or the text that is no day", async () => {
    expect(dayName(await view("de"), "2026-02-01")).toBe("01.02.2026")
    expect(dayName(await view("de"), "soon")).toBe("soon")
  })

  it("is an id of which the parts stay whole, while other texts may break anywhere", () => {
    expect(String(id("01990000-0000-7000-8000-000000000001"))).toContain('class="word"')
    expect(String(id("a-client"))).toBe('<code dir="ltr">a-client</code>')
    expect(String(words(["users:read"]))).toBe('<span class="words"><code dir="ltr" class="word">users:read</code> </span>')
  })
})
