/** Commands that work on the storage of one environment, which `--env` and `--remote` name. */
import { declarePlace, type PlaceOptions, placeName } from '../cli/environment-option.ts';
import {
  type CommandContext,
  type CommandDefinition,
  type CommandResult,
  defineCommand,
} from '../cli/run-command.ts';
import type { KvStore, SnapshotTarget } from '../storage/key-value-store.ts';
import { withTarget, withTokenStore } from '../storage/open-target.ts';

interface PlacedDefinition<Storage, Options extends object>
  extends Omit<CommandDefinition<Options>, 'run'> {
  /**
   * @param storage is closed when this has settled
   * @param options also have what people call the environment
   */
  readonly run: (
    storage: Storage,
    options: Options & PlaceOptions & { readonly place: string },
    context: CommandContext,
    ...args: string[]
  ) => Promise<CommandResult>;
}

function placed<Storage>(
  open: (
    place: PlaceOptions,
    watch: CommandContext,
    work: (storage: Storage) => Promise<CommandResult>,
  ) => Promise<CommandResult>,
) {
  return <Options extends object>(
    name: string,
    { declare, run, ...definition }: PlacedDefinition<Storage, Options>,
  ) =>
    defineCommand<Options & PlaceOptions>(name, {
      ...definition,
      declare: (command) => {
        declare?.(command);
        declarePlace(command);
      },
      run: (options, context, ...args) =>
        open(options, context, (storage) =>
          run(storage, { ...options, place: placeName(options) }, context, ...args),
        ),
    });
}

/** Defines a command on the releases of an environment. */
export const defineReleaseCommand = placed<SnapshotTarget>(withTarget);

/** Defines a command on the tokens of an environment. */
export const defineTokenCommand = placed<KvStore>(withTokenStore);
