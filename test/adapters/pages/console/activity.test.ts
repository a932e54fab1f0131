import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { addressOf, signedUp } from "../browse.ts"
import { root, rootAgain, withConsole, withRole } from "./console.ts"

describe("the activity in the console", () => {
  it.layer(withConsole())((it) => {
    it.effect("of the audit log is found by type, person, outcome and day; an unknown type finds nothing", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const ada = yield* signedUp("ada@example.com")
        yield* owner.api("/admin/users/suspend", { user_id: ada.user.id, reason: "ticket 4711, spam" })
        const found = Effect.fnUntraced(function* found(query: string) {
          const page = yield* owner.open(`/admin/audit?${query}`)
          assert.strictEqual(page.status, 200, query)
          return page.html.match(/<th role="rowheader"/g)?.length ?? 0
        })
        assert.isAbove(yield* found(""), 1)
        assert.strictEqual(yield* found(`type=user.created&subject_id=${ada.user.id}`), 1)
        assert.isAbove(yield* found(`outcome=success&subject_id=${ada.user.id}`), 0)
        assert.strictEqual(yield* found(`outcome=failure&subject_id=${ada.user.id}`), 0)
        assert.strictEqual(yield* found("actor_id=unknown"), 0)
        assert.strictEqual(yield* found("type=user.created&subject_id=Ada@example.com"), 1)
        assert.strictEqual(yield* found("subject_id=unknown@example.com"), 0)
        const { html } = yield* owner.open("/admin/audit")
        const [day = ""] = /(?<=datetime=")\d{4}-\d\d-\d\d/.exec(html) ?? []
        const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
        assert.isAbove(yield* found(`since=${day}&until=${day}`), 1)
        assert.strictEqual(yield* found(`since=${next}`), 0)
        assert.strictEqual(yield* found("until=1969-12-31"), 0)
        for (const type of ["no.such_type", "%3Cb%3E"]) {
          assert.strictEqual(yield* found(`type=${type}`), 0)
          assert.include((yield* owner.open(`/admin/audit?type=${type}`)).text, "There are no such records.")
        }
      }),
    )

    it.effect("of a user has the number of refused sign-ins, and of what was done to others whom", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const lin = yield* signedUp("lin@example.com")
        const { user } = yield* owner.api("/get-session")
        yield* owner.api("/admin/users/suspend", { user_id: lin.user.id, reason: "ticket 4711, spam" })
        const own = yield* owner.open(`/admin/user?id=${user.id}`)
        assert.include(own.text, `Subject: User …${lin.user.id.slice(-8)}`)
        assert.notInclude((yield* owner.open(`/admin/user?id=${lin.user.id}`)).text, "Subject: User")
      }),
    )

    it.effect("of a job is shown, and ends when it is cancelled", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const grace = yield* signedUp("grace@example.com")
        const input = { operation: "revoke_sessions", user_ids: [grace.user.id] }
        const { job } = yield* owner.api("/admin/jobs/create", input)
        const list = yield* owner.open("/admin/jobs?state=queued")
        assert.include(list.text, "End all sessions State ◔ Waiting")
        const page = yield* owner.open(`/admin/job?id=${job.id}`)
        const watcher = yield* withRole(owner, "watcher")
        const watched = yield* watcher.open(`/admin/job?id=${job.id}`)
        assert.strictEqual(watched.heading, "End all sessions")
        assert.notInclude(watched.html, "/admin/user?")
        assert.isFalse(watched.forms.some(({ buttons }) => "cancel" in buttons))
        const cancelled = yield* owner.press(page, "cancel")
        assert.deepStrictEqual([cancelled.at, cancelled.notice], [`/admin/job?id=${job.id}`, "The job was cancelled."])
        assert.include(cancelled.text, "■ Cancelled")
        assert.isFalse(cancelled.forms.some(({ buttons }) => "cancel" in buttons))
        assert.include((yield* owner.open("/admin/jobs?state=queued")).text, "There are no such jobs.")
        assert.strictEqual(yield* addressOf(grace), "grace@example.com")
      }),
    )

    it.effect("in the audit log is saved as a file, with the filters of the list and days, for a reason", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const mary = yield* signedUp("mary@example.com")
        const listed = yield* owner.open("/admin/audit?subject_id=mary@example.com&type=user.created&outcome=success&since=1970-01-01")
        const [link] = /\/admin\/audit\/export\?[^"]*/.exec(listed.html) ?? []
        const asked = yield* owner.open(String(link).replaceAll("&amp;", "&"))
        assert.include(asked.text, "mary@example.com")
        assert.include(asked.html, 'value="1970-01-01"')
        assert.include(asked.text, "audit export")
        const refused = yield* owner.press(asked, "confirm", { reason: "short" })
        assert.strictEqual(refused.status, 400)
        const saved = yield* owner.press(refused, "confirm", { reason: "for the yearly review" })
        const [line, ...others] = saved.html.trim().split("\n")
        assert.deepInclude(JSON.parse(String(line)), { type: "user.created", subject: { kind: "user", id: mary.user.id } })
        assert.lengthOf(others, 0)
        const reason = "for the yearly review"
        const [today = "", tomorrow = ""] = [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
        assert.strictEqual((yield* owner.press(asked, "confirm", { reason, since: tomorrow })).html, "")
        assert.strictEqual((yield* owner.press(asked, "confirm", { reason, until: today })).html.trim(), line)
        assert.strictEqual((yield* owner.press(asked, "confirm", { reason, since: "soon" })).status, 400)
        const exports = yield* owner.open("/admin/audit?type=audit.exported")
        assert.include(exports.html, '<span class="line word">Service</span>')
        assert.notInclude(exports.text, "Service account")
        const watcher = yield* withRole(owner, "watcher", "watching@example.com")
        assert.notInclude((yield* watcher.open("/admin/audit")).html, "/admin/audit/export")
      }),
    )

    it.effect("of administrators in the name of users is ended by another administrator", () =>
      Effect.gen(function* () {
        const owner = yield* rootAgain
        const eve = yield* signedUp("eve@example.com")
        const second = yield* withRole(owner, "admin", "second@example.com")
        yield* second.api("/admin/impersonate/start", { user_id: eve.user.id, reason: "ticket <b> 4711" })
        assert.strictEqual(yield* addressOf(second), "eve@example.com")
        const page = yield* owner.open("/admin/administrators")
        assert.include(page.text, "ticket <b> 4711")
        const ended = yield* owner.press(page, "end")
        assert.deepStrictEqual([ended.at, ended.notice], ["/admin/administrators", "The session has ended."])
        assert.include(ended.text, "■ Ended")
        assert.isFalse(ended.forms.some(({ buttons }) => "end" in buttons))
        assert.notStrictEqual(yield* addressOf(second), "eve@example.com")
      }),
    )
  })
})
