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
  const number = (value) => value === undefined ? "–" : String(Number(value.toPrecision(4)));
  const whole = (value) => value.toLocaleString("en-US");
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
      made("span", "number", number(rule.i)));
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

  function tell() {
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
      made("p", "", rule.c.length ? "Other rules of a column:" : ""), follow);
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
      if (most !== null && !(rule.e !== undefined && rule.e <= most)) continue;
      if (words.every((word) => hay[at].includes(word))) shown.push(at);
    }
    const key = keys[order.value];
    if (order.value === "text") shown.sort((a, b) => rules[a].t < rules[b].t ? -1 : rules[a].t > rules[b].t ? 1 : 0);
    else if (order.value !== "interest") shown.sort((a, b) => key(rules[a]) - key(rules[b]) || a - b);
    column.setCustomValidity(place === -2 ? "There is no such column." : "");
    count.textContent = whole(shown.length) + " of " + whole(rules.length) + (place === -2 ? "; there is no such column" : "");
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
    if (!element) return;
    column.value = columns[Number(element.dataset.column)].name;
    sift();
    one("rules-title").scrollIntoView({ block: "start" });
    list.focus({ preventScroll: true });
  });
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
  form.addEventListener("reset", () => setTimeout(sift));
  addEventListener("resize", () => draw(true));
  addEventListener("beforeprint", () => {
    const rows = shown.slice(0, PRINTED).map((_, at) => row(at));
    if (shown.length > PRINTED) rows.push(made("p", "", "and " + whole(shown.length - PRINTED) + " more"));
    space.replaceChildren(...rows);
  });
  addEventListener("afterprint", () => draw(true));
  fillColumns();
  sift();
})();
