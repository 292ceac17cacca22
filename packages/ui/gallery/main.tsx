import { type ReactNode, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import {
  Avatar,
  Button,
  Chart,
  DataTable,
  type Drill,
  EmptyState,
  ErrorState,
  GeoMap,
  IconButton,
  Kpi,
  LocaleRoot,
  loadMessages,
  Mark,
  NoRightsState,
  pickLocale,
  SeriesColorsRoot,
  Skeleton,
  Tabs,
  TextWidget,
  ThemeRoot,
} from '../src/index.ts'
import { airports, allMonths, byCity, byCountry, byMonth, large, specs } from './data.ts'
import './gallery.css'

const asked = new URLSearchParams(location.search)
const scheme = asked.get('scheme') === 'dark' ? 'dark' : 'light'
const locale = pickLocale(asked.get('locale'))
const messages = await loadMessages(locale)

function Card(props: { readonly title: string; readonly wide?: boolean; readonly children: ReactNode }) {
  return (
    <section className="card" data-wide={props.wide} aria-label={props.title}>
      <h2>{props.title}</h2>
      <div>{props.children}</div>
    </section>
  )
}

const hostile = `# Quarter in short

Revenue is **up**, see [the report](https://example.com) or [this](javascript:alert(1)). ![seen](https://evil.example/p.png)
<script>alert(1)</script>

| City | Share |
|---|---|
| Oslo | 41 % |
`
const html = `<h3 onclick="alert(1)">From HTML</h3><p style="font-weight:700;background:url(https://evil.example)">styled</p>
<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">a</a> <a href="https://example.com">b</a>`

function Gallery() {
  const [drill, setDrill] = useState<Drill | null>(null)
  const [drawn, setDrawn] = useState(0)
  const count = (chart: unknown) => setDrawn(before => before + (chart ? 1 : -1))
  const revenue = byCity.columns[1]
  return (
    <main>
      <h1>
        <Mark size={24} /> hedron
      </h1>
      <p className="hd-hidden">
        <output id="drawn">{drawn}</output> <output id="drilled">{drill ? JSON.stringify(drill) : ''}</output>
      </p>
      <div className="cards">
        {revenue && (
          <Card title="Figure">
            <Kpi column={revenue} value="1234567.8" label="Revenue" before={{ value: '1100000' }} onDrill={setDrill} />
          </Card>
        )}
        {revenue && (
          <Card title="Costs">
            <Kpi
              column={revenue}
              value="98000"
              label="Costs"
              before={{ value: '90000', label: 'vs. May' }}
              lessIsBetter
            />
          </Card>
        )}
        <Card title="Controls">
          <p className="row">
            <Button look="primary" icon="plus">
              New chat
            </Button>
            <Button icon="download">Download</Button>
            <Button look="danger">Delete</Button>
            <IconButton icon="more" label="More" />
          </p>
          <p className="row">
            <Avatar name="Ada Lovelace" />
            <Avatar name="Grace Hopper" picture="https://pictures.invalid/g.png" size={32} />
            <Avatar name="yuki@example.com" size={32} />
          </p>
        </Card>
        <Card title="Lines" wide>
          <Chart spec={specs.line} result={byMonth} label="Revenue by month" onDrill={setDrill} onDrawn={count} />
        </Card>
        <Card title="Months" wide>
          <Chart spec={specs.months} result={allMonths} label="Revenue of all" onDrill={setDrill} onDrawn={count} />
        </Card>
        <Card title="Bars" wide>
          <Chart spec={specs.bar} result={byCity} label="Revenue by city" onDrill={setDrill} onDrawn={count} />
        </Card>
        <Card title="Stacked" wide>
          <Chart spec={specs.stacked} result={byMonth} label="Revenue by quarter" onDrawn={count} />
        </Card>
        <Card title="Shares">
          <Chart spec={specs.pie} result={byMonth} label="Revenue by source" onDrawn={count} />
        </Card>
        <Card title="Countries" wide>
          <GeoMap result={byCountry} label="Revenue by country" onDrill={setDrill} onDrawn={count} />
        </Card>
        <Card title="Airports" wide>
          <GeoMap result={airports} label="Flights by airport" onDrawn={count} />
        </Card>
        <Card title="Table" wide>
          <DataTable result={large} label="Orders" onDrill={setDrill} />
        </Card>
        <Card title="Text">
          <TextWidget markdown={hostile} />
        </Card>
        <Card title="HTML">
          <TextWidget html={html} />
        </Card>
        <Card title="Tabs">
          <Tabs
            tabs={[
              { id: 'a', title: 'First' },
              { id: 'b', title: 'Second' },
            ]}
            label="Parts"
          >
            {tab => <p>Panel {tab.title}</p>}
          </Tabs>
        </Card>
        <Card title="Loading">
          <Skeleton shape="chart" progress={{ done: 3, all: 12 }} onCancel={() => undefined} />
        </Card>
        <Card title="Empty">
          <EmptyState action={{ label: 'Clear filters', run: () => undefined }} />
        </Card>
        <Card title="Error">
          <ErrorState message="Build failed: orders.yml line 12" code="model_invalid" onRetry={() => undefined} />
        </Card>
        <Card title="No rights">
          <NoRightsState right="DataAccess" />
        </Card>
        <Card title="Broken">
          <Chart spec={specs.broken} result={byCity} label="Broken" />
        </Card>
        <Card title="Images">
          <Chart spec={specs.images} result={byCity} label="Images" />
        </Card>
      </div>
    </main>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root')
createRoot(root).render(
  <StrictMode>
    <LocaleRoot locale={locale} messages={messages}>
      <ThemeRoot scheme={scheme} isPage>
        <SeriesColorsRoot>
          <Gallery />
        </SeriesColorsRoot>
      </ThemeRoot>
    </LocaleRoot>
  </StrictMode>,
)
