const elements = ({ children = [] }, ...names) => children.filter(({ tagName }) => names.includes(tagName))
const rowsOf = (table, part) => elements(table, part).flatMap((each) => elements(each, "tr"))

/** Names the column of each cell, which narrow screens show beside it. */
export const columnNames = {
  name: "column names",
  element: {
    filter: ["table"],
    visit(table, context) {
      const names = rowsOf(table, "thead").flatMap((row) => elements(row, "th").map((cell) => context.textContent(cell)))
      for (const row of rowsOf(table, "tbody"))
        for (const [index, cell] of elements(row, "td").entries()) context.setProperty(cell, "data-column", names[index] ?? "")
      context.wrapNode(table, { type: "element", tagName: "div", properties: { class: "table" }, children: [] })
    },
  },
}
