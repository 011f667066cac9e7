/** A test as a form and as YAML, with its expected load on hosts and networks, and its preflight. */
import { Alert, Anchor, Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { type FormEvent, lazy, type ReactNode, Suspense, useId, useState } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { FEATURE_PAGES } from '../../feature-sums/pages.ts';
import { useCall, useChange } from '../api.ts';
import { useMay } from '../me.tsx';
import { Link, navigate, useParams } from '../router.tsx';
import { FormButtons } from '../show/basics/form-sections.tsx';
import { Answer, Card, Failed, Page, Waiting } from '../show/basics/page.tsx';
import { useFirstRefused } from '../show/basics/refused.ts';
import { Mark } from '../show/basics/words.tsx';
import { StartRun } from '../show/run/actions/start-run.tsx';
import { filledBy, TEST_TEMPLATES, type TestTemplate } from '../show/test-form/drafts/templates.ts';
import { bodyOf, type Draft, draftOf, EMPTY } from '../show/test-form/drafts/test-draft.ts';
import { TestFields } from '../show/test-form/fields/test-fields.tsx';
import { PreflightCard } from '../show/test-form/preview/preflight.tsx';
import { Preview } from '../show/test-form/preview/test-preview.tsx';
import { TemplateChoice } from '../show/test-form/template-choice.tsx';
import { useNames } from '../show/test-form/use-names.ts';
import { asTest, type Names, TEST_DEFAULTS, type TestBody } from '../show/test-form/written-test.ts';

/** The library that reads and writes text is a tenth of all script. */
const TestYamlEditor = lazy(() => import('../show/test-form/test-yaml-editor.tsx'));

type Test = Output<'getTest'>;
type Registrar = Output<'listRegistrars'>;

export function NewTestPage() {
  const { projectId } = useParams() as { projectId: string };
  const registrars = useCall('listRegistrars', { projectId, per_page: 100 });
  const names = useNames(projectId);
  return (
    <Page title="New test" over={<Back projectId={projectId} />}>
      <Answer of={registrars}>
        {({ rows }) => (names ? <NewTest projectId={projectId} registrars={rows} names={names} /> : <Waiting />)}
      </Answer>
    </Page>
  );
}

type OfProject = {
  readonly projectId: string;
  readonly registrars: readonly Registrar[];
  readonly names: Names;
};

function NewTest(of: OfProject) {
  const { projectId } = of;
  const create = useChange('createTest', ({ id }) => {
    void navigate({ to: '/projects/$projectId/tests/$testId', params: { projectId, testId: id } });
  });
  return <Editor {...of} test={null} change={create} onSave={(body) => create.mutate({ projectId, ...body })} />;
}

const TEMPLATES = [TEST_TEMPLATES, ...FEATURE_PAGES.map(({ testTemplates = [] }) => testTemplates)]
  .flat()
  .sort((a, b) => a.place - b.place);

const TEST_ACTIONS = FEATURE_PAGES.flatMap(({ testActions = [] }) => testActions);

export function TestPage() {
  const { projectId, testId } = useParams() as { projectId: string; testId: string };
  const may = useMay(projectId);
  const registrars = useCall('listRegistrars', { projectId, per_page: 100 });
  const names = useNames(projectId);
  const test = useCall('getTest', { projectId, testId });
  const preflight = useCall('preflightTest', { projectId, testId }, { everyMs: 5000 });
  const [isSaved, setSaved] = useState(false);
  const update = useChange('updateTest', () => {
    setSaved(true);
    // Where it can be run.
    window.scrollTo({ top: 0 });
    document.getElementById('content')?.focus({ preventScroll: true });
  });
  return (
    <Answer of={test}>
      {(t) => (
        <Page
          title={t.name}
          over={<Back projectId={projectId} />}
          beside={<div role="status">{isSaved && <Mark tone="good">Saved</Mark>}</div>}
          actions={
            may('TESTER') && (
              <>
                {TEST_ACTIONS.map(([key, Action]) => (
                  <Suspense key={key} fallback={null}>
                    <Action projectId={projectId} testId={testId} />
                  </Suspense>
                ))}
                <StartRun
                  projectId={projectId}
                  test={t}
                  label={isReady(preflight.data) ? 'Run this test' : 'Run anyway'}
                  filled={isReady(preflight.data)}
                />
              </>
            )
          }
        >
          <Answer of={registrars}>
            {({ rows }) =>
              names ? (
                <Editor
                  key={t.version}
                  projectId={projectId}
                  registrars={rows}
                  names={names}
                  test={t}
                  change={update}
                  onSave={({ slug: _, ...body }) => update.mutate({ projectId, testId, ...TEST_DEFAULTS, ...body })}
                  onEdit={() => setSaved(false)}
                  preflight={<PreflightCard projectId={projectId} testId={testId} of={preflight} />}
                />
              ) : (
                <Waiting />
              )
            }
          </Answer>
        </Page>
      )}
    </Answer>
  );
}

/** True: the test can run, as far as it is known yet. */
const isReady = (preflight: Output<'preflightTest'> | undefined): boolean => preflight?.isReady ?? true;

const Back = ({ projectId }: { projectId: string }) => (
  <Anchor component={Link} to={`/projects/${projectId}/tests`} size="sm">
    Tests
  </Anchor>
);

type EditorProps = OfProject & {
  readonly test: Test | null;
  readonly preflight?: ReactNode;
  /** The last attempt to save. */
  readonly change: { readonly error: Error | null; readonly isPending: boolean; readonly reset: () => void };
  readonly onSave: (body: TestBody) => void;
  readonly onEdit?: () => void;
};

/** The version that is edited: the form's values, or the text of a test; null: nobody has changed that. */
type View =
  | { readonly is: 'FORM'; readonly draft: Draft }
  | { readonly is: 'YAML'; readonly of: Test | null; readonly text: string | null };

function Editor({ projectId, registrars, names, test, preflight, change, onSave, onEdit }: EditorProps) {
  const may = useMay(projectId)('EDITOR');
  const cloudId = registrars.find((r) => r.isCloud)?.id ?? '';
  const first = test ? draftOf(test, registrars) : EMPTY;
  const [view, setView] = useState<View>(
    first && may ? { is: 'FORM', draft: first } : { is: 'YAML', of: test, text: null },
  );
  const [isTooMuch, setIsTooMuch] = useState(first === null);
  const [template, setTemplate] = useState<TestTemplate | null>(null);
  const { error } = change;
  const form = useFirstRefused(error);
  const formId = useId();
  const edit = (next: View) => {
    onEdit?.();
    setView(next);
  };
  /** The server's message refers to the version before the change. */
  const forget = () => {
    if (error) change.reset();
  };
  const switchTo = (is: View['is']) => {
    forget();
    if (is === 'YAML' && view.is === 'FORM') {
      setView({ is, of: asTest(bodyOf(view.draft, cloudId, test), test), text: null });
    }
    if (is === 'FORM' && view.is === 'YAML')
      void draftFrom(view, names, test, registrars).then((draft) => {
        setIsTooMuch(draft === null);
        if (draft) setView({ is, draft });
      });
  };
  const start = (draft: Draft, chosen: TestTemplate | null) => {
    const { name, description } = draft;
    setTemplate(chosen);
    edit({ is: 'FORM', draft: chosen ? filledBy(chosen, draft, cloudId) : { ...EMPTY, name, description } });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (view.is === 'FORM') onSave(bodyOf(view.draft, cloudId, test));
  };
  const choice = may && (
    <SegmentedControl
      size="xs"
      aria-label="View of the test"
      value={view.is}
      onChange={(is) => switchTo(is as View['is'])}
      data={[
        { value: 'FORM', label: 'Form' },
        { value: 'YAML', label: 'YAML' },
      ]}
    />
  );
  return (
    <>
      {view.is === 'FORM' && test === null && (
        <TemplateChoice
          templates={TEMPLATES}
          chosen={template}
          mayRegister={registrars.some((r) => r.register && !r.isCloud)}
          onChoose={(chosen) => start(view.draft, chosen)}
        />
      )}
      <Group align="flex-start" gap="lg" wrap="wrap">
        <div style={{ flex: '2 1 460px', minWidth: 0 }}>
          {view.is === 'FORM' ? (
            <form id={formId} ref={form} onSubmit={submit}>
              <Stack>
                <TestFields
                  draft={view.draft}
                  registrars={registrars}
                  error={error}
                  actions={choice}
                  onChange={(draft) => edit({ is: 'FORM', draft })}
                />
                {error && <Failed error={error} />}
              </Stack>
            </form>
          ) : (
            <Card title="Test" actions={choice}>
              {isTooMuch && may && (
                <Alert color="indigo" variant="outline" title="The form cannot show this test" mb="md">
                  The YAML has errors, describes more than one kind of endpoint (several groups or sub-populations), or
                  has settings that cannot take effect. Edit it as YAML.
                </Alert>
              )}
              <Suspense fallback={<Waiting />}>
                <TestYamlEditor
                  id={formId}
                  first={view.of}
                  names={names}
                  mayWrite={may}
                  error={error}
                  onText={(text) => {
                    forget();
                    edit({ ...view, text });
                  }}
                  onSave={onSave}
                />
              </Suspense>
            </Card>
          )}
        </div>
        {(view.is === 'FORM' || preflight) && (
          <div style={{ flex: '1 1 280px', minWidth: 0, position: 'sticky', top: 74 }}>
            <Stack gap="lg">
              {view.is === 'FORM' && <Preview draft={view.draft} registrars={registrars} />}
              {preflight}
            </Stack>
          </div>
        )}
      </Group>
      {may && (
        <FormButtons>
          <Button component={Link} to={`/projects/${projectId}/tests`} variant="default">
            Cancel
          </Button>
          <Button type="submit" form={formId} loading={change.isPending}>
            {test ? 'Save' : 'Create test'}
          </Button>
        </FormButtons>
      )}
    </>
  );
}

type TextView = Extract<View, { is: 'YAML' }>;

/** Null: the text cannot be parsed, or has more than the form supports. */
async function draftFrom(
  { of, text }: TextView,
  names: Names,
  test: Test | null,
  registrars: readonly Registrar[],
): Promise<Draft | null> {
  if (text === null) return of && draftOf(of, registrars);
  const { readTest } = await import('../show/test-form/test-yaml.ts');
  const read = readTest(text, names);
  if ('faults' in read) return null;
  try {
    return draftOf(asTest(read.body, test), registrars);
  } catch {
    // A field is of another kind than the form expects. The server reports which one.
    return null;
  }
}
