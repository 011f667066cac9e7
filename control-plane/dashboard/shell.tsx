/** The frame of every page: location, navigation, user. */
import { Burger, Center, Group, NativeSelect, NavLink, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { FEATURE_PAGES } from '../feature-sums/pages.ts';
import { useCall } from './api.ts';
import { CHAPTERS, type Chapters, chapterOf } from './chapters.ts';
import type { MenuEntry } from './feature.ts';
import { type Me, MeProvider, useMay, useMe } from './me.tsx';
import { Proof } from './proof.tsx';
import { Link, navigate, useLocation, useParams } from './router.tsx';
import { Help } from './show/basics/help.tsx';
import {
  IconActivityHeartbeat,
  IconAddressBook,
  IconBell,
  IconBuilding,
  IconFileMusic,
  IconHistory,
  IconHome2,
  IconKey,
  IconLayoutDashboard,
  IconListCheck,
  IconPhone,
  IconPlayerPlay,
  IconSearch,
  IconServer2,
  IconSettings,
  IconUserCircle,
  IconUsers,
} from './show/basics/icons.tsx';
import { Answer } from './show/basics/page.tsx';
import { SchemeSwitch } from './show/basics/scheme-switch.tsx';
import { useShortcuts } from './show/basics/shortcut-keys.ts';

/** These components are loaded when they are needed. */
const FirstSecondFactor = lazy(() => import('./pages/first-second-factor.tsx'));
const AccountMenu = lazy(() => import('./account-menu.tsx'));
const ShortcutsDialog = lazy(() => import('./show/basics/shortcuts-dialog.tsx'));
const Palette = lazy(() => import('./show/palette/palette.tsx'));

const ALL_CHAPTERS = Object.assign({}, CHAPTERS, ...FEATURE_PAGES.map(({ chapters }) => chapters)) as Chapters;

type Inside = { readonly children: ReactNode };

export const Shell = ({ children }: Inside) => (
  <Answer of={useCall('getMe', {})}>{(me) => <SignedIn me={me}>{children}</SignedIn>}</Answer>
);

const SignedIn = ({ me, children }: Inside & { me: Me }) => (
  <MeProvider value={me}>
    <Frame>{children}</Frame>
    <Proof />
  </MeProvider>
);

function Frame({ children }: Inside) {
  const [opened, { toggle, close }] = useDisclosure();
  const [isListing, listing] = useDisclosure();
  const { pathname } = useLocation();
  const { lacksSecondFactor: lacksFactor } = useMe();
  // The page also stays until the recovery codes have been seen.
  const [isHeldUp, setHeldUp] = useState(lacksFactor);
  useEffect(() => {
    if (lacksFactor) setHeldUp(true);
  }, [lacksFactor]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page was gone to
  useEffect(close, [pathname]);
  return (
    <div className="frame" data-held={isHeldUp || undefined}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      {/* The dialogs of the library, which lock the scroll bar, know this class. */}
      <header className="frame-head right-scroll-bar-position">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            {!isHeldUp && <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />}
            <Brand />
          </Group>
          <Group gap={6} wrap="nowrap">
            {!isHeldUp && <Search onList={listing.open} />}
            <Help chapter={chapterOf(pathname, ALL_CHAPTERS)} />
            <SchemeSwitch />
            <Person onList={listing.open} />
          </Group>
        </Group>
      </header>
      {isListing && (
        <Suspense fallback={null}>
          <ShortcutsDialog onClose={listing.close} />
        </Suspense>
      )}
      {!isHeldUp && (
        <nav className="frame-menu" data-open={opened || undefined}>
          <Navigation />
        </nav>
      )}
      <main className="frame-page" id="content" tabIndex={-1}>
        <div style={{ maxWidth: 1320, margin: '0 auto' }}>
          {isHeldUp ? (
            <Suspense fallback={null}>
              <FirstSecondFactor onSetUp={() => setHeldUp(false)} />
            </Suspense>
          ) : (
            children
          )}
        </div>
      </main>
    </div>
  );
}

const Brand = () => (
  <Link to="/" style={{ textDecoration: 'none', color: 'inherit' }} aria-label="Carillon, home">
    <Group gap={9} wrap="nowrap">
      <img src="/icon.svg" alt="" width={26} height={26} />
      <Text fw={700} fz={17} style={{ letterSpacing: '-0.01em' }}>
        Carillon
      </Text>
    </Group>
  </Link>
);

function Person({ onList }: { onList: () => void }) {
  const { user } = useMe();
  const [isAskedFor, setAskedFor] = useState(false);
  const button = (
    <UnstyledButton
      aria-label={`${user.name}: account`}
      aria-haspopup="menu"
      p={5}
      onClick={isAskedFor ? undefined : () => setAskedFor(true)}
    >
      <Group gap={7} wrap="nowrap">
        <IconUserCircle size={21} />
        <Text size="sm" fw={550} visibleFrom="xs">
          {user.name}
        </Text>
      </Group>
    </UnstyledButton>
  );
  return isAskedFor ? (
    <Suspense fallback={button}>
      <AccountMenu onList={onList}>{button}</AccountMenu>
    </Suspense>
  ) : (
    button
  );
}

/** Pages of a project, each with the shortcut of its name. */
const WITH_SHORTCUTS = ['tests', 'runs', 'probes', 'calls'] as const;

/** Opens the palette, as its shortcut does, and obeys the shortcuts that every page has. */
function Search({ onList }: { onList: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const { ofProject, ofOrganization } = usePlaces();
  const [base] = ofProject;
  const go = (to: string) => () => void navigate({ to });
  const ofThis = base ? WITH_SHORTCUTS.map((name) => [name, go(`${base.to}/${name}`)]) : [];
  useShortcuts({
    find: () => setOpen(true),
    list: onList,
    home: go('/'),
    workers: go('/workers'),
    ...Object.fromEntries(ofThis),
  });
  return (
    <>
      <UnstyledButton className="search-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <IconSearch size={17} />
        <span>Find anything</span>
        <kbd>Ctrl K</kbd>
      </UnstyledButton>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette
            pages={[{ to: '/', label: 'Home' }, ...ofProject, ...ofOrganization]}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

type NavEntry = readonly [to: string, label: string, icon: MenuEntry['icon']];

const CORE_ENTRIES: readonly NavEntry[] = [
  ['', 'Overview', IconLayoutDashboard],
  ['/tests', 'Tests', IconListCheck],
  ['/runs', 'Runs', IconPlayerPlay],
  ['/calls', 'Calls', IconPhone],
  ['/probes', 'Probes', IconActivityHeartbeat],
  ['/registrars', 'Registrars', IconAddressBook],
  ['/media', 'Media files', IconFileMusic],
];
/** Entries of the core, whose places are multiples of ten, with those of features. */
const withFeatures = (core: readonly NavEntry[], menu: 'menu' | 'adminsMenu'): readonly NavEntry[] =>
  [
    ...core.map((entry, n) => ({ place: 10 * (n + 1), entry })),
    ...FEATURE_PAGES.flatMap((pages) => pages[menu] ?? []).map(({ place, to, label, icon }) => ({
      place,
      entry: [to, label, icon] as const,
    })),
  ]
    .sort((a, b) => a.place - b.place)
    .map(({ entry }) => entry);
const OF_PROJECT = withFeatures(CORE_ENTRIES, 'menu');
const OF_PROJECT_ADMINS = withFeatures([['/webhooks', 'Webhooks', IconBell]], 'adminsMenu');
const OF_ORGANIZATION = FEATURE_PAGES.flatMap(({ organizationMenu = [] }) => organizationMenu);
const PROJECT_SETTINGS: NavEntry = ['/settings', 'Settings', IconSettings];

type NavPlace = { readonly to: string; readonly label: string; readonly icon: MenuEntry['icon'] };

/** The pages that this user may open, of the project that is open, and of the organization. */
function usePlaces(): { readonly ofProject: readonly NavPlace[]; readonly ofOrganization: readonly NavPlace[] } {
  const me = useMe();
  const may = useMay();
  const { projectId } = useParams() as { projectId?: string };
  const mayOfProject = useMay(projectId);
  const ofProject = [...OF_PROJECT, ...(mayOfProject('ADMIN') ? OF_PROJECT_ADMINS : []), PROJECT_SETTINGS];
  const ofOrganization: readonly NavEntry[] = [
    ['/workers', 'Workers', IconServer2],
    ...(may('ADMIN') && me.allProjects ? [['/members', 'Members', IconUsers] as const] : []),
    ...(may('EDITOR') ? [['/api-keys', 'API keys', IconKey] as const] : []),
    ...(may('ADMIN') && me.allProjects ? [['/audit-log', 'Audit log', IconHistory] as const] : []),
    ['/organization', 'Organization', IconBuilding],
    ...OF_ORGANIZATION.filter(({ isFor }) => isFor(me)).map(({ to, label, icon }) => [to, label, icon] as const),
  ];
  const placed = (base: string, entries: readonly NavEntry[]) =>
    entries.map(([to, label, icon]) => ({ to: base + to, label, icon }));
  return {
    ofProject: projectId === undefined ? [] : placed(`/projects/${projectId}`, ofProject),
    ofOrganization: placed('', ofOrganization),
  };
}

function Navigation() {
  const me = useMe();
  const { projectId } = useParams() as { projectId?: string };
  const projects = useCall('listProjects', { per_page: 100 });
  const shown = (projects.data?.rows ?? []).map((p) => ({ value: p.id, label: p.name }));
  const here = shown.find((p) => p.value === projectId);
  const { ofProject, ofOrganization } = usePlaces();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a low screen it scrolls, by keys too
    <div tabIndex={0} style={{ overflowY: 'auto' }}>
      <Entry place={{ to: '/', label: 'Home', icon: IconHome2 }} isExact />
      <nav aria-label="Project">
        {shown.length > 0 && (
          <NativeSelect
            aria-label="Project"
            data={here ? shown : [{ value: '', label: 'Choose a project', disabled: true }, ...shown]}
            value={here?.value ?? ''}
            onChange={({ currentTarget: { value } }) =>
              void navigate({ to: '/projects/$projectId', params: { projectId: value } })
            }
            mt="xs"
            mb="xs"
          />
        )}
        {ofProject.map((place, n) => (
          <Entry key={place.to} place={place} isExact={n === 0} />
        ))}
      </nav>
      <nav aria-label="Organization">
        <Text size="xs" fw={650} c="dimmed" tt="uppercase" mt="lg" mb={4} px={10} style={{ overflowWrap: 'anywhere' }}>
          {me.organization.name}
        </Text>
        {ofOrganization.map((place) => (
          <Entry key={place.to} place={place} />
        ))}
      </nav>
    </div>
  );
}

/** `isExact`: pages below it have entries of their own. */
function Entry({ place: { to, label, icon: Icon }, isExact = false }: { place: NavPlace; isExact?: boolean }) {
  const { pathname } = useLocation();
  const isHere = pathname === to || (!isExact && pathname.startsWith(`${to}/`));
  return (
    <NavLink
      component={Link}
      to={to}
      label={label}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      leftSection={
        <Center>
          <Icon size={18} stroke={1.7} />
        </Center>
      }
      style={{ borderRadius: 8 }}
    />
  );
}
