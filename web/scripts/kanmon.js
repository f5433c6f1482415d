// What the pages do beyond reading: nothing that they could not do without. No value is ever taken for markup.
'use strict'

const part = (element, name) => element.querySelector(`[data-part="${name}"]`)

// A run while it runs: the server sends how it stands and what its log was given.
const follow = (page) => {
  const log = part(page, 'log')
  const reload = () => window.setTimeout(() => window.location.reload(), 10000)
  const source = new EventSource(page.dataset.events)
  const words = (headline) => headline.replaceAll(/[0-9,]+/g, '')
  let told = words(part(page, 'headline').textContent)

  // A screen reader says what happens and not every count, of which there is another one each second.
  const tell = (headline) => {
    if (words(headline) !== told) part(page, 'status').textContent = headline
    told = words(headline)
  }

  const show = (state) => {
    tell(state.headline)
    part(page, 'sign').textContent = state.sign
    part(page, 'headline').textContent = state.headline
    part(page, 'detail').textContent = state.detail
    page.querySelector('progress').value = state.permille
    page.querySelectorAll('.tile').forEach((tile, index) => {
      for (const name of ['figure', 'unit', 'detail']) part(tile, name).textContent = state.figures[index][name]
    })
    const failures = part(page, 'failures')
    failures.parentElement.hidden = state.failures.length === 0
    // Only what is new: a screen reader would say all of them again.
    const known = Array.from(failures.children, (item) => item.textContent)
    const isContinued = known.every((name, index) => name === state.failures[index])
    if (!isContinued) failures.replaceChildren()
    for (const name of isContinued ? state.failures.slice(known.length) : state.failures) {
      const item = document.createElement('li')
      item.textContent = name
      failures.append(item)
    }
  }

  const write = (piece) => {
    if (piece.isRestart) log.replaceChildren()
    for (const line of piece.lines) {
      const row = document.createElement('span')
      for (const { style, text } of line.pieces) {
        const span = document.createElement('span')
        span.className = style
        span.textContent = text
        row.append(span)
      }
      row.append('\n')
      log.append(row)
    }
    while (log.childElementCount > Number(log.dataset.most)) log.firstElementChild.remove()
  }

  source.addEventListener('state', (event) => show(JSON.parse(event.data)))
  source.addEventListener('log', (event) => write(JSON.parse(event.data)))
  source.addEventListener('end', () => {
    source.close()
    window.location.reload()
  })
  // A connection that is lost is made again by the browser; one that is refused is not.
  source.addEventListener('error', () => { if (source.readyState === EventSource.CLOSED) reload() })
}

// Whether a key is meant for the page: not typed into a field, and no shortcut of the browser.
const isForPage = (event) =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest('input, textarea, select')

// Any page: / leads to the search field.
const search = (field) => document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || !isForPage(event)) return
  event.preventDefault()
  field.select()
})

// A chart: the tab key leads to its newest run, the arrow keys to those beside it, and its caption says what the run was.
const walk = (chart) => {
  const plot = chart.querySelector('.plot')
  const links = [...plot.querySelectorAll('a')]
  // A run with two marks is one step.
  const steps = [...new Map(links.map((link) => [link.getAttribute('href'), link])).values()]
  plot.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const next = step === undefined ? undefined : steps[steps.indexOf(event.target.closest('a')) + step]
    if (!next) return
    event.preventDefault()
    next.focus()
  })
  plot.addEventListener('focusin', (event) => { part(chart, 'point').textContent = event.target.getAttribute('aria-label') })
  plot.addEventListener('focusout', () => { part(chart, 'point').textContent = '' })
}

// A source file: n leads to the next missed lines, p to those before.
const jump = (listing) => {
  const rows = [...listing.querySelectorAll('tr.begins')]
  document.addEventListener('keydown', (event) => {
    if (!isForPage(event)) return
    const here = document.querySelector('tr:target')
    const number = here ? Number(here.id.slice(1)) : 0
    const line = (row) => Number(row.id.slice(1))
    const found = event.key === 'n' ? rows.find((row) => line(row) > number)
      : event.key === 'p' ? rows.findLast((row) => line(row) < number) : undefined
    if (found) window.location.hash = found.id
  })
}

for (const field of document.querySelectorAll('.search input')) search(field)
for (const page of document.querySelectorAll('[data-events]')) follow(page)
for (const chart of document.querySelectorAll('.chart')) walk(chart)
for (const listing of document.querySelectorAll('.listing')) jump(listing)
