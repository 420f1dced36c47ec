const body = document.querySelector("tbody");
const heads = [...document.querySelectorAll("th")];

function key(row, column, number) {
  const cell = row.cells[column];
  if (!number) return cell.textContent.toLowerCase();
  return cell.dataset.value === undefined ? Number.NEGATIVE_INFINITY : Number(cell.dataset.value);
}

heads.forEach((head, column) => {
  head.addEventListener("click", () => {
    const number = "number" in head.dataset;
    // Numbers begin with the largest, names with A.
    const down = number ? !head.classList.contains("down") : head.classList.contains("up");
    for (const other of heads) other.classList.remove("up", "down");
    head.classList.add(down ? "down" : "up");
    const rows = [...body.rows].map((row) => [key(row, column, number), row]);
    rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1));
    body.append(...rows.map(([, row]) => row));
  });
});

document.querySelector("#filter").addEventListener("input", (event) => {
  const wanted = event.target.value.toLowerCase();
  for (const row of body.rows) {
    const said = row.textContent + row.querySelector(".dot").title;
    row.hidden = !said.toLowerCase().includes(wanted);
  }
});

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
    const text = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(button);
      return;
    }
    setTimeout(() => { button.textContent = text; }, 900);
  });
}
