// Bars, heat maps, tables and what they share, drawn with D3. All texts come in by text(), never as markup.
"use strict";

const WIDTH = 1000;
const small = d3.format(",.4~g"), large = d3.format(".4~s");
const number = value => Math.abs(value) < 1e4 ? small(value) : large(value);
const whole = d3.format(",");
// Sections of the program's own: {name, title, note, draw(box, data, run)}.
const SECTIONS = [];
const COLORS = d3.schemeTableau10.concat(d3.schemeSet3, d3.schemePaired);

function section(parent, id, title, note) {
  const box = parent.append("section").attr("id", id);
  box.append("h2").text(title);
  if (note) box.append("p").attr("class", "note").text(note);
  return box;
}

function nothing(box, why) {
  box.append("p").attr("class", "none").text(why);
}

// A chart: `name` says which one, for who looks whether all are there; what shows data has the class `mark`.
function chart(box, name, width, height, margin) {
  const svg = box.append("svg").attr("data-chart", name).attr("width", width).attr("height", height)
    .attr("viewBox", `0 0 ${width} ${height}`);
  return svg.append("g").attr("transform", `translate(${margin.left},${margin.top})`);
}

function legend(box, entries) {
  const row = box.append("div").attr("class", "legend").selectAll("span").data(entries).enter().append("span");
  row.append("i").style("background", d => d.color);
  row.append("span").text(d => d.name);
}

function axisTitle(g, text, x, y) {
  g.append("text").attr("x", x).attr("y", y).attr("text-anchor", "middle").text(text);
}

// Room for the longest of some labels, in pixels.
const roomFor = labels => 14 + 6.6 * d3.max(labels, l => l.length);

// Bars that lie, each a stack; labels stand at their left, so that they never meet.
function stackedBars(box, name, rows, parts, unit, limit) {
  const shown = parts.map((part, i) => ({name: part.name, color: part.color, place: i}))
    .filter(part => rows.some(row => row.values[part.place] > 0));
  if (!shown.length) return nothing(box, "Nothing of this was counted.");
  if (shown.length > 1) legend(box, shown);
  const margin = {left: roomFor(rows.map(r => r.name)), right: 70, top: 4, bottom: 34};
  const high = 18 * rows.length;
  const g = chart(box, name, WIDTH, high + margin.top + margin.bottom, margin);
  const sum = row => d3.sum(shown, part => row.values[part.place]);
  const x = d3.scaleLinear([0, limit || d3.max(rows, sum) || 1], [0, WIDTH - margin.left - margin.right]);
  const y = d3.scaleBand(d3.range(rows.length), [0, high]).padding(0.2);
  g.append("g").attr("class", "grid").call(d3.axisBottom(x).tickSize(high).tickFormat("").ticks(8)).select(".domain").remove();
  g.append("g").attr("class", "axis").attr("transform", `translate(0,${high})`).call(d3.axisBottom(x).ticks(8, "~s"));
  rows.forEach((row, i) => {
    let from = 0;
    g.append("text").attr("x", -6).attr("y", y(i) + y.bandwidth() / 2).attr("dy", "0.35em").attr("text-anchor", "end").text(row.name);
    for (const part of shown) {
      const value = row.values[part.place];
      if (!(value > 0)) continue;
      g.append("rect").attr("class", "mark").attr("x", x(from)).attr("y", y(i)).attr("width", x(value)).attr("height", y.bandwidth())
        .attr("fill", part.color).append("title").text(`${row.name}, ${part.name}: ${number(value)} ${unit}`);
      from += value;
    }
    g.append("text").attr("x", x(from) + 4).attr("y", y(i) + y.bandwidth() / 2).attr("dy", "0.35em").text(number(from));
  });
  axisTitle(g, unit, (WIDTH - margin.left - margin.right) / 2, high + 30);
}

// Rows and columns of shades; `cells`: {row, column, value, text}.
function heatMap(box, name, rows, columns, cells, unit, columnTitle) {
  const most = d3.max(cells, c => c.value);
  if (!(most > 0)) return nothing(box, "Nothing of this was counted.");
  const upright = columns.some(c => c.length > 5);
  const margin = {left: roomFor(rows), right: 90, top: upright ? roomFor(columns) : 22, bottom: columnTitle ? 22 : 6};
  const size = Math.max(6, Math.min(34, (WIDTH - margin.left - margin.right) / columns.length));
  const high = 18;
  const g = chart(box, name, margin.left + size * columns.length + margin.right, margin.top + Math.max(90, high * rows.length) + margin.bottom, margin);
  const color = d3.scaleSequential([0, most], d3.interpolateYlOrRd);
  rows.forEach((row, i) => g.append("text").attr("x", -6).attr("y", high * (i + 0.5)).attr("dy", "0.35em").attr("text-anchor", "end").text(row));
  const every = Math.ceil((upright ? 12 : 34) / size);
  columns.forEach((column, i) => {
    if (i % every) return;
    const at = size * (i + 0.5);
    g.append("text").attr("x", at).attr("y", -6).attr("text-anchor", upright ? "start" : "middle")
      .attr("transform", upright ? `rotate(-90 ${at} -6) translate(0 4)` : null).text(column);
  });
  g.append("rect").attr("width", size * columns.length).attr("height", high * rows.length).attr("fill", "#f2f2f2");
  for (const cell of cells) {
    if (!(cell.value > 0)) continue;
    g.append("rect").attr("class", "mark").attr("x", size * cell.column).attr("y", high * cell.row).attr("width", size).attr("height", high)
      .attr("fill", color(cell.value)).append("title").text(cell.text);
  }
  const scale = g.append("g").attr("transform", `translate(${size * columns.length + 14},0)`);
  d3.range(10).forEach(i => scale.append("rect").attr("y", 8 * (9 - i)).attr("width", 12).attr("height", 8).attr("fill", color(most * (i + 0.5) / 10)));
  scale.append("text").attr("x", 16).attr("y", 8).text(number(most));
  scale.append("text").attr("x", 16).attr("y", 80).text("0");
  scale.append("title").text(unit);
  if (columnTitle) axisTitle(g, columnTitle, size * columns.length / 2, Math.max(90, high * rows.length) + 16);
}

function table(box, columns, rows) {
  const scroll = box.append("div").attr("class", "scroll").append("table");
  scroll.append("thead").append("tr").selectAll("th").data(columns).enter().append("th")
    .attr("class", c => c.kind || null).text(c => c.name);
  const body = scroll.append("tbody");
  for (const row of rows)
    body.append("tr").selectAll("td").data(columns).enter().append("td").attr("class", c => c.kind || null)
      .text(c => { const value = c.of(row); return typeof value === "number" ? number(value) : value; });
  return body;
}

function choice(box, label, options, act) {
  const line = box.append("div").attr("class", "choice");
  line.append("label").text(label + " ").append("select").on("change", function() { act(+this.value); })
    .selectAll("option").data(options).enter().append("option").attr("value", (_, i) => i).text(o => o);
}
