"use strict";
(() => {
  const HEIGHT = 36, SPARE = 12, PRINTED = 500;
  const data = JSON.parse(document.getElementById("data").textContent);
  const rules = data.rules, columns = data.columns, kinds = data.kinds;
  const one = (id) => document.getElementById(id);
  const list = one("list"), space = one("space"), detail = one("detail"), count = one("count");
  const search = one("search"), column = one("column"), error = one("error"), order = one("order"), form = one("filters");
  const hay = rules.map((rule) => (rule.t + "\n" + rule.s + "\n" + rule.d).toLowerCase());
  const places = new Map(columns.map((each, place) => [each.name, place]));
  const brief = (value) => value > 0 && value < 0.001 ? value.toExponential(1) : value === undefined ? "–" : String(Number(value.toPrecision(3)));
  const number = (value) => value === undefined ? "–" : String(Number(value.toPrecision(4)));
  const whole = (value) => value.toLocaleString("en-US");
  const graph = one("graph"), nodes = new Map();
  let partner = -1;
  let shown = [], chosen = -1, first = -1, last = -1;

  // Every text is set as text: nothing of the data is ever read as markup.
  function made(tag, name, text) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function bar(share) {
    const outer = made("div", "bar"), inner = made("i");
    inner.style.width = Math.max(0, Math.min(1, share || 0)) * 100 + "%";
    outer.append(inner);
    return outer;
  }

  function row(at) {
    const rule = rules[shown[at]], element = made("div", "rule");
    element.id = "rule-" + at;
    element.setAttribute("role", "option");
    element.setAttribute("aria-selected", String(at === chosen));
    element.setAttribute("aria-posinset", String(at + 1));
    element.setAttribute("aria-setsize", String(shown.length));
    element.style.top = at * HEIGHT + "px";
    element.dataset.at = String(at);
    element.title = rule.s.slice(0, 400);
    element.append(made("span", "kind", kinds[rule.k]), bar(rule.i), made("span", "text", rule.t.slice(0, 400)),
      made("span", "number", brief(rule.i)));
    return element;
  }

  function draw(force) {
    const from = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - SPARE);
    const to = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / HEIGHT) + SPARE);
    if (!force && from === first && to === last) return;
    first = from; last = to;
    const rows = [];
    for (let at = from; at < to; at += 1) rows.push(row(at));
    space.replaceChildren(...rows);
    if (chosen >= from && chosen < to) list.setAttribute("aria-activedescendant", "rule-" + chosen);
    else list.removeAttribute("aria-activedescendant");
  }

  function pair(into, name, value) {
    if (value !== undefined && value !== null && value !== "") into.append(made("dt", "", name), made("dd", "", value));
  }

  // Rows of the table as a small one: a head, then the rows of each group.
  function cells(head, lines) {
    const outer = made("div", "scroll"), table = made("table", "rows"), top = made("tr");
    for (const name of head) {
      const cell = made("th", "", name);
      cell.scope = "col";
      top.append(cell);
    }
    table.append(top);
    for (const line of lines) {
      const element = made("tr", line.name);
      for (const value of line.cells) element.append(value === null ? made("td", "null", "null") : made("td", "", value));
      table.append(element);
    }
    outer.append(table);
    return outer;
  }

  const some = (count, word) => whole(count) + " " + word + (count === 1 ? "" : "s");

  function held(rule) {
    const found = rule.b, parts = [made("h3", "", "In the table")];
    let text = "No pair of rows breaks it.";
    if (found.p) {
      text = some(found.p, "pair") + " of rows break" + (found.p === 1 ? "s" : "") + " it, " + some(found.r, "row") + " take part";
      if (found.m !== undefined) text += "; removing " + some(found.m, "row") + " mends it" + (found.g ? " (chosen greedily)" : "");
      text += found.s === "tolerated" ? ", within the error allowed." : ".";
    }
    parts.push(made("p", found.s, text));
    if (rule.w) {
      const places = rule.w.r.some((line) => line[1] !== null);
      const lines = rule.w.r.map((line) => ({
        name: line[0] === "t" ? "first" : "", cells: [line[0], ...(places ? [line[1] || ""] : []), ...line.slice(2)],
      }));
      parts.push(cells(["", ...(places ? ["row"] : []), ...rule.w.c], lines));
    }
    return parts;
  }

  function groups(rule) {
    const found = rule.x, equal = found.c.slice(0, found.e).join(", ");
    const parts = [made("h3", "", "Examples")];
    const lines = [];
    for (const group of found.g) {
      group.l.forEach((line, at) => lines.push({ name: at ? "" : "first", cells: [whole(line[0]), ...line.slice(1)] }));
      const more = group.k - group.l.length;
      if (more > 0) lines.push({ name: "more", cells: ["", "and " + some(more, "other combination")] });
    }
    const says = found.g.length === 0 ? "No two of the rows looked at agree on " + equal + "."
      : found.e ? some(found.g.length, "group") + " of rows that agree on " + equal + ":" : "Some rows:";
    parts.push(made("p", "", says));
    if (lines.length) parts.push(cells(["rows", ...found.c], lines));
    return parts;
  }

  function tell() {
    const lit = chosen < 0 ? [] : rules[shown[chosen]].c;
    for (const [place, node] of nodes) node.classList.toggle("on", lit.includes(place));
    if (chosen < 0) {
      detail.replaceChildren(made("p", "", shown.length ? "Choose a rule to read what it says." : "No rule passes these filters."));
      return;
    }
    const rule = rules[shown[chosen]], facts = made("dl"), follow = made("p");
    pair(facts, "kind", kinds[rule.k]);
    pair(facts, "interest", number(rule.i));
    pair(facts, "coverage", number(rule.v));
    pair(facts, "error", rule.e === undefined ? "not measured" : number(rule.e) + (rule.m ? " of " + (rule.m === "pairs" ? "pairs of rows" : "rows, to be removed") : ""));
    pair(facts, "surprise", rule.u === undefined ? "" : number(rule.u));
    pair(facts, "id", rule.d);
    if (rule.status) {
      pair(facts, "status", rule.status + (rule.found ? "" : ", not found by the last discovery"));
      pair(facts, "severity", rule.severity);
      pair(facts, "note", rule.note);
    }
    for (const place of rule.c) follow.append(button(place));
    detail.replaceChildren(made("p", "says", rule.s), made("code", "", rule.t), facts,
      made("p", "", rule.c.length ? "Other rules of a column:" : ""), follow, ...(rule.b ? held(rule) : []), ...(rule.x ? groups(rule) : []));
  }

  function button(place) {
    const element = made("button", "follow", columns[place].name || "(no name)");
    element.type = "button";
    element.dataset.column = String(place);
    return element;
  }

  function choose(at, focus) {
    if (!shown.length) return;
    chosen = Math.max(0, Math.min(shown.length - 1, at));
    const top = chosen * HEIGHT;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top + HEIGHT - list.clientHeight;
    draw(true);
    tell();
    if (focus) list.focus({ preventScroll: true });
  }

  const keys = {
    interest: (rule) => rule.i === undefined ? 1 : -rule.i, coverage: (rule) => rule.v === undefined ? 1 : -rule.v,
    error: (rule) => rule.e === undefined ? 2 : rule.e, size: (rule) => rule.c.length,
  };

  function sift() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const on = new Set([...form.querySelectorAll("input[name=kind]:checked")].map((box) => kinds.indexOf(box.value)));
    const place = column.value === "" ? -1 : places.has(column.value) ? places.get(column.value) : -2;
    const most = error.value === "" ? null : Number(error.value);
    shown = [];
    for (let at = 0; at < rules.length; at += 1) {
      const rule = rules[at];
      if (!on.has(rule.k) || (place !== -1 && !rule.c.includes(place))) continue;
      if (partner !== -1 && !rule.c.includes(partner)) continue;
      if (most !== null && !(rule.e !== undefined && rule.e <= most)) continue;
      if (words.every((word) => hay[at].includes(word))) shown.push(at);
    }
    const key = keys[order.value];
    if (order.value === "text") shown.sort((a, b) => rules[a].t < rules[b].t ? -1 : rules[a].t > rules[b].t ? 1 : 0);
    else if (order.value !== "interest") shown.sort((a, b) => key(rules[a]) - key(rules[b]) || a - b);
    column.setCustomValidity(place === -2 ? "There is no such column." : "");
    count.textContent = whole(shown.length) + " of " + whole(rules.length) + (place === -2 ? "; there is no such column" : "") +
      (partner === -1 ? "" : ", with " + columns[partner].name);
    chosen = -1;
    space.style.height = shown.length * HEIGHT + "px";
    list.scrollTop = 0;
    draw(true);
    tell();
  }

  function fillColumns() {
    const used = new Array(columns.length).fill(0);
    for (const rule of rules) for (const place of rule.c) used[place] += 1;
    const body = document.querySelector("#columns tbody"), options = [];
    columns.forEach((each, place) => {
      const line = made("tr"), name = made("td");
      name.append(button(place));
      line.append(name, made("td", "", each.type || "–"), made("td", "number", whole(used[place])));
      line.children[1].title = each.why || "";
      if (each.rows !== undefined) {
        const rows = Math.max(1, each.rows), from = made("td"), gaps = made("td");
        from.append(bar(each.distinct / rows));
        gaps.append(bar(each.nulls / rows));
        const range = each.least === null ? "" : each.least === each.greatest ? each.least : each.least + " … " + each.greatest;
        line.append(made("td", "number", whole(each.distinct)), from, made("td", "number", whole(each.nulls)), gaps, made("td", "value", range));
      }
      body.append(line);
      const option = made("option");
      option.value = each.name;
      options.push(option);
    });
    one("column-names").replaceChildren(...options);
  }

  // The namespace is that of the element which the page has: an address of it would look like one to be loaded.
  function drawn(tag, name, marks) {
    const element = document.createElementNS(graph.namespaceURI, tag);
    if (name) element.setAttribute("class", name);
    for (const key in marks) element.setAttribute(key, marks[key]);
    return element;
  }

  function titled(element, text) {
    const title = drawn("title");
    title.textContent = text;
    element.append(title);
    return element;
  }

  // Columns on an ellipse, ties as curves towards its middle; a tip where one column decides the other.
  function fillGraph() {
    const told = data.graph, middle = [500, 360], at = new Map();
    if (!told.edges.length) {
      document.querySelector(".graph").hidden = true;
      return;
    }
    told.nodes.forEach((place, n) => {
      const angle = (n / told.nodes.length) * 2 * Math.PI - Math.PI / 2;
      at.set(place, [middle[0] + 310 * Math.cos(angle), middle[1] + 320 * Math.sin(angle), Math.cos(angle)]);
    });
    for (const [from, to, count, way, width] of told.edges) {
      const [x, y] = at.get(from), [u, v] = at.get(to);
      const p = ((x + u) / 2 + middle[0]) / 2, q = ((y + v) / 2 + middle[1]) / 2;
      const edge = drawn("g", "edge", { "data-from": from, "data-to": to }), path = { d: `M${x} ${y}Q${p} ${q} ${u} ${v}` };
      const lines = drawn("path", "line", { ...path, "stroke-width": width });
      edge.append(drawn("path", "reach", path), lines);
      if (way) {
        const length = Math.hypot(u - p, v - q) || 1, a = (u - p) / length, b = (v - q) / length, s = u - 9 * a, t = v - 9 * b;
        edge.append(drawn("path", "tip", { d: `M${s} ${t}L${s - 11 * a - 5 * b} ${t - 11 * b + 5 * a}L${s - 11 * a + 5 * b} ${t - 11 * b - 5 * a}Z` }));
      }
      graph.append(titled(edge, columns[from].name + (way ? " → " : " – ") + columns[to].name + ": " + some(count, "rule")));
    }
    for (const [place, [x, y, side]] of at) {
      const name = columns[place].name || "(no name)", node = drawn("g", "node", { tabindex: 0, role: "button", "data-column": place });
      const right = side > 0.1, left = side < -0.1;
      const label = drawn("text", "", { x: x + (right ? 13 : left ? -13 : 0), y: y + (right || left ? 5 : y < middle[1] ? -13 : 24), "text-anchor": right ? "start" : left ? "end" : "middle" });
      label.textContent = name.length > 22 ? name.slice(0, 21) + "…" : name;
      node.setAttribute("aria-label", "Rules of " + name.slice(0, 200));
      node.append(drawn("circle", "", { cx: x, cy: y, r: 8 }), label);
      graph.append(titled(node, name));
      nodes.set(place, node);
    }
    one("graph-says").textContent = "A column, or a line between two, shows the rules that name it, or both. "
      + (told.columns > told.nodes.length ? "Drawn are " + told.nodes.length + " of " + some(told.columns, "column") + ". " : "")
      + (told.left ? "The " + some(told.left, "weaker tie") + (told.left === 1 ? " is" : " are") + " left out." : "");
  }

  function follow(place, other) {
    column.value = columns[place].name;
    partner = other;
    sift();
    one("rules-title").scrollIntoView({ block: "start" });
    list.focus({ preventScroll: true });
  }

  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -Infinity, End: Infinity };
  list.addEventListener("keydown", (event) => {
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(chosen < 0 && steps[event.key] < 0 ? 0 : chosen + steps[event.key], false);
  });
  list.addEventListener("click", (event) => {
    const element = event.target.closest(".rule");
    if (element) choose(Number(element.dataset.at), true);
  });
  let waiting = false;
  list.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(false); });
  }, { passive: true });
  document.addEventListener("click", (event) => {
    const element = event.target.closest(".follow");
    if (element) follow(Number(element.dataset.column), -1);
  });
  graph.addEventListener("click", (event) => {
    const node = event.target.closest(".node"), edge = event.target.closest(".edge");
    if (node) follow(Number(node.dataset.column), -1);
    else if (edge) follow(Number(edge.dataset.from), Number(edge.dataset.to));
  });
  graph.addEventListener("keydown", (event) => {
    const node = event.target.closest(".node");
    if (!node || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    follow(Number(node.dataset.column), -1);
  });
  column.addEventListener("input", () => { partner = -1; });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && event.target.tagName === "INPUT") {
      form.reset();
    }
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", sift);
  form.addEventListener("reset", () => { partner = -1; setTimeout(sift); });
  addEventListener("resize", () => draw(true));
  addEventListener("beforeprint", () => {
    const rows = shown.slice(0, PRINTED).map((_, at) => row(at));
    if (shown.length > PRINTED) rows.push(made("p", "", "and " + whole(shown.length - PRINTED) + " more"));
    space.replaceChildren(...rows);
  });
  addEventListener("afterprint", () => draw(true));
  fillColumns();
  fillGraph();
  sift();
})();
