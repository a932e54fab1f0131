import { type Child, el } from "./dom.ts"

/** A field inside of its label, and its hint. */
export const field = (label: string, properties: Partial<HTMLInputElement>, hint?: string) => {
  const input = el("input", { required: true, ...properties })
  const nodes: Array<Node> = [el("label", {}, el("span", {}, label), input)]
  if (hint) {
    const described = el("small", {}, hint)
    input.ariaDescribedByElements = [described]
    nodes.push(described)
  }
  return { input, nodes }
}

/** A form that does one thing at a time. The work gets the value of the pressed button, and returns why it was refused. */
export const formOf = (problem: string, work: (pressed: string) => Promise<string | undefined>, ...children: ReadonlyArray<Child>) => {
  const alert = el("p", { role: "alert" }, problem)
  const form = el("form", {}, alert, ...children)
  form.onsubmit = async (event) => {
    event.preventDefault()
    if (form.ariaBusy) return
    form.ariaBusy = "true"
    try {
      const { value } = event.submitter as HTMLButtonElement
      alert.textContent = (await work(value)) ?? ""
    } finally {
      form.ariaBusy = null
    }
  }
  return form
}

/** A button of a form with what it does. Only those that need the fields validate them. */
export const submit = (text: string, value: string, className = "", formNoValidate = false) =>
  el("button", { value, className, formNoValidate }, text)
