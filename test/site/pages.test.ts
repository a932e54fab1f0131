import { describe, expect, it } from "vitest"
import { inWords, settingsWith } from "../../adapters/config/reference.ts"
import { optional } from "../../application/modules/index.ts"
import { clientCallOf, curlOf } from "../../site/generate/calls.ts"
import { errorPages, errors } from "../../site/generate/errors.ts"
import { frameworkPages } from "../../site/generate/frameworks.ts"
import { keywords } from "../../site/generate/keywords.ts"
import { makeLinks } from "../../site/generate/links.ts"
import { sectionsOf, slugOf } from "../../site/generate/markdown.ts"
import { modulePages } from "../../site/generate/module-pages.ts"
import { systems } from "../../site/generate/moving-code.ts"
import { operations, titleOf } from "../../site/generate/openapi.ts"
import type { Page } from "../../site/generate/page.ts"
import { allPages } from "../../site/generate/pages.ts"
import { settingsPage, undescribed } from "../../site/generate/settings-page.ts"
import { isForPackage, textFiles } from "../../site/generate/text-files.ts"
import { questions } from "./questions.ts"

describe("the reference of settings", () => {
  it("describes every setting", () => {
    expect(undescribed).toEqual([])
  })

  it.each(settingsWith(optional))("has $path, with its default", (setting) => {
    const [, module] = setting.path.match(/^modules\.(\w+)/) ?? []
    const page = module === undefined ? settingsPage : modulePages.find(({ slug }) => slug === `modules/${module}`)
    const isModule = setting.path === `modules.${module}`
    expect(page?.body).toContain(isModule ? "## Settings" : `**\`${setting.path}\`**`)
    if (!isModule) expect(page?.body).toContain(inWords(setting))
  })
})

describe("the catalogue of errors", () => {
  it.each(errors)("has $code, with its status and what to do", ({ code, status, remedy }) => {
    const page = errorPages.find(({ slug }) => slug === `reference/errors/${code}`)
    expect(page?.body).toContain(`**Status** ${status}`)
    expect(page?.body).toContain(remedy)
  })

  it("has each code once", () => {
    const codes = errors.map(({ code }) => code)
    expect(codes).toEqual([...new Set(codes)])
  })
})

describe("the page of a module", () => {
  it.each(operations.map((operation) => ({ name: titleOf(operation), operation })))("has $name with its calls", ({ name, operation }) => {
    const page = modulePages.find(({ slug }) => slug === `modules/${operation.module}`)
    const [section] = sectionsOf(page!.body).filter(({ heading }) => heading === `\`${name}\``)
    expect(section?.body).toContain(curlOf(operation))
    expect(section?.body).toContain(clientCallOf(operation) ?? "")
    expect(section?.body).toContain(`\`auth.call.${operation.id}\``)
  })
})

describe("the guides", () => {
  const headingsOf = (body: string) => sectionsOf(body).flatMap(({ heading }) => (heading === "" ? [] : [heading]))

  it.each(frameworkPages.slice(1))("of frameworks have the same sections, and $title has each with code", ({ body }) => {
    const sections = ["Install", "Mount", "Page", "Protected route", "Server action", "Deploy"]
    expect(headingsOf(body)).toEqual(sections)
    const withoutCode = sectionsOf(body).filter(({ heading, body }) => heading !== "" && !body.includes("```"))
    expect(withoutCode).toEqual([])
  })

  it.each(Object.keys(systems))("for code from %s have calls, users and steps", async (heading) => {
    const page = (await allPages()).find(({ title }) => title === `From ${heading}`)
    expect(headingsOf(page?.body ?? "")).toEqual(["Calls", "Users", "Cut-over"])
  })
})

describe("a link", () => {
  const page = (body: string): Page => ({ slug: "a", title: "A", body, source: "docs/a.md", headings: ["A", "One part"] })
  const rewritten = (body: string) =>
    makeLinks([page(body), { ...page(""), slug: "b", source: "b/README.md", headings: ["B", "Its part"] }])(page(body))

  it.each([
    ["to a file", "[b](../b/README.md)", "[b](/b/)"],
    ["to a folder", "[b](../b)", "[b](/b/)"],
    ["to a section", "[b](../b/README.md#its-part)", "[b](/b/#its-part)"],
    ["to the title of a page", "[b](../b/README.md#b)", "[b](/b/)"],
    ["to a section of its own page", "[a](#one-part)", "[a](/a/#one-part)"],
    ["to another site", "[c](https://c.example/)", "[c](https://c.example/)"],
    ["in a code block", "```\n[b](../b/README.md)\n```", "```\n[b](../b/README.md)\n```"],
  ])("%s", (_, body, expected) => expect(rewritten(body)).toBe(expected))

  it.each(["[c](../c/README.md)", "[b](../b/README.md#no-part)"])("that leads nowhere is an error: %s", (body) => {
    expect(() => rewritten(body)).toThrow("which is not a page")
  })
})

it("reads headings as the site does, and not those in code", () => {
  expect(sectionsOf("a\n## `GET /b`\nc\n```sh\n# d\n```\n").map(({ heading }) => heading)).toEqual(["", "`GET /b`"])
  expect(slugOf("`POST /sign-up/email`")).toBe("post-sign-upemail")
})

it("writes every page once", async () => {
  const slugs = (await allPages()).map(({ slug }) => slug)
  expect(slugs.filter((slug, index) => slugs.indexOf(slug) !== index)).toEqual([])
})

it("has the pages that the search adds words to and that questions lead to", async () => {
  const slugs = new Set((await allPages()).map(({ slug }) => slug))
  const named = [...Object.keys(keywords), ...questions.flatMap(([, ...pages]) => pages)]
  expect(named.filter((slug) => !slugs.has(slug))).toEqual([])
})

describe("the pages as text files", () => {
  it("are listed in llms.txt, one line each, in at most 50 kB", async () => {
    const pages = await allPages()
    const files = textFiles(pages, pages)
    const list = files.find(({ path }) => path === "llms.txt")?.text ?? ""
    expect(Buffer.byteLength(list)).toBeLessThanOrEqual(50_000)
    const listed = list.split("\n").flatMap((line) => /^- \[[^\]]+\]\(([^)]+)\)/.exec(line)?.[1] ?? [])
    expect(listed).toEqual(pages.filter(({ searched }) => searched !== false).map(({ slug }) => `${slug}.md`))
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(listed))
  })

  it("lead to each other, and to no page that the package does not have", async () => {
    const page = (slug: string, body: string): Page => ({ slug, title: slug, body, source: `${slug}.md`, headings: [] })
    const first = page(
      "guides/a",
      "[b](/modules/b/#c) and [d](/understand/d/) ([more](/understand/d/#e))\n\n<!-- docs: given\nx -->\n\n```\n[b](/modules/b/)\n```",
    )
    const pages = [first, page("modules/b", ""), page("understand/d", "")]
    const [file] = textFiles(pages, pages.filter(isForPackage))
    expect(file).toEqual({ path: "guides/a.md", text: "# guides/a\n\n[b](../modules/b.md#c) and d\n\n\n```\n[b](/modules/b/)\n```\n" })
    const address = "https://git.example/a/blob/v1"
    const [published] = textFiles(pages, pages.filter(isForPackage), address)
    expect(published?.text).toContain(`and [d](${address}/understand/d.md) ([more](${address}/understand/d.md#e))`)
  })
})
