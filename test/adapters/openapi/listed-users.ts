// Users with attributes for the clients that list them.

export const root = "root@example.com"

export const attributes = {
  plan: { schema: { type: "string", enum: ["free", "pro"] } },
  teams: { schema: { type: "array", items: { type: "integer", minimum: 1 }, maxItems: 3 } },
}

const added = (index: number) => ({
  email: `listed${index}@example.com`,
  attributes: { plan: index % 2 === 0 ? "free" : "pro", teams: [index + 1, index + 2] },
})

/** Adds users, eight at a time, and returns the token of an administrator. */
export const addUsers = async (base: string, count: number): Promise<string> => {
  const post = async (path: string, body: object, authorization = "") => {
    const headers = { "content-type": "application/json", authorization }
    const answer = await fetch(`${base}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.headers.get("set-auth-token") ?? ""
  }
  const token = await post("/sign-up/email", { email: root, password: "correct horse battery staple" })
  for (let index = 0; index < count; index += 8) {
    const group = Array.from({ length: Math.min(8, count - index) }, (_, at) => added(index + at))
    await Promise.all(group.map((user) => post("/admin/users/create", user, `Bearer ${token}`)))
  }
  return token
}
