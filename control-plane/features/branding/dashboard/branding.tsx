/** The brand of the organization, for its administrators: a form, and how readers will see it. */
import { Button, FileButton, Group, Input, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { faultOf, useCall, useChange } from '../../../dashboard/api.ts';
import { useMay, useMe } from '../../../dashboard/me.tsx';
import { Answer, Card, Failed } from '../../../dashboard/show/basics/page.tsx';
import { MAX_LOGO_BYTES } from '../contract/logo.ts';
import { BrandPreview } from './preview.tsx';

type Branding = Output<'getBranding'>;
type Logo = Branding['logo'];
const COLOUR = /^#[0-9a-f]{6}$/i;

export function BrandingCard() {
  const { allProjects } = useMe();
  const isShown = useMay()('ADMIN') && allProjects;
  const branding = useCall('getBranding', {}, { enabled: isShown });
  return isShown && <Answer of={branding}>{(present) => <Form present={present} />}</Answer>;
}

function Form({ present }: { present: Branding }) {
  const [name, setName] = useState(present.name ?? '');
  const [colour, setColour] = useState(present.colour ?? '');
  const [logo, setLogo] = useState<Logo>(present.logo);
  const update = useChange('updateBranding', (saved) => setLogo(saved.logo));
  const isSaved =
    name === (present.name ?? '') && colour === (present.colour ?? '') && logo?.content === present.logo?.content;
  const isColour = COLOUR.test(colour);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ name: name.trim() || null, colour: colour || null, logo: logo?.content ?? null });
  };
  const isAtField = ['name', 'colour', 'logo'].some((field) => faultOf(update.error, field));
  return (
    <Card title="Branding" note="On public status pages, in reports of runs, and in mails.">
      <form onSubmit={submit}>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
          <Stack>
            <TextInput
              label="Name shown"
              description="Without a name, nothing of this is shown."
              placeholder="Acme Voice"
              value={name}
              onChange={(e) => setName(e.target.value)}
              error={faultOf(update.error, 'name')}
            />
            <LogoField value={logo} onChange={setLogo} error={faultOf(update.error, 'logo')} />
            <TextInput
              label="Colour"
              description="Of the band behind logo and name."
              placeholder="#0050a0"
              value={colour}
              onChange={(e) => setColour(e.target.value.trim())}
              error={
                faultOf(update.error, 'colour') ?? (colour !== '' && !isColour && '# and six digits, like #0050a0')
              }
              rightSection={
                <input
                  type="color"
                  aria-label="Choose the colour"
                  value={isColour ? colour : '#0050a0'}
                  onChange={(e) => setColour(e.target.value)}
                  style={{ width: 26, height: 26, padding: 0, border: 0, background: 'none' }}
                />
              }
            />
            {update.error && !isAtField && <Failed error={update.error} />}
            <Group>
              <Button type="submit" loading={update.isPending} disabled={isSaved}>
                Save
              </Button>
              {update.isSuccess && isSaved && (
                <Text size="sm" role="status">
                  Saved
                </Text>
              )}
            </Group>
          </Stack>
          <BrandPreview name={name.trim()} logo={logo} colour={isColour ? colour.toLowerCase() : null} />
        </SimpleGrid>
      </form>
    </Card>
  );
}

type LogoProps = {
  readonly value: Logo;
  readonly error: string | undefined;
  readonly onChange: (logo: Logo) => void;
};

const contentOf = async (file: File): Promise<string> =>
  btoa(Array.from(new Uint8Array(await file.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));

function LogoField({ value, error, onChange }: LogoProps) {
  const [wrong, setWrong] = useState<string | undefined>();
  const take = async (file: File | null) => {
    if (!file) return;
    setWrong(undefined);
    if (file.size > MAX_LOGO_BYTES) return setWrong(`${file.name} has more than 64 KiB`);
    try {
      const { width: widthPx, height: heightPx } = await createImageBitmap(file);
      onChange({ content: await contentOf(file), widthPx, heightPx });
    } catch {
      setWrong(`${file.name} is not an image`);
    }
  };
  const fault = wrong ?? (error && `The file ${error}`);
  return (
    <Input.Wrapper
      label="Logo"
      labelElement="div"
      description="A PNG of at most 64 KiB; it stands on white. If it is at least twice as wide as high, the name is not repeated beside it."
      error={fault}
    >
      <Group gap="sm">
        <FileButton accept="image/png" onChange={(file) => void take(file)}>
          {(props) => (
            <Button variant="default" size="xs" {...props}>
              {value ? 'Another logo' : 'Choose a file'}
            </Button>
          )}
        </FileButton>
        {value && (
          <Button variant="subtle" size="xs" onClick={() => onChange(null)}>
            Remove the logo
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
