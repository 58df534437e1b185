package dev.zarrreactive.cli;

import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.command.Operation;
import dev.zarrreactive.cli.command.TopCommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.cli.console.Warnings;
import dev.zarrreactive.cli.help.HelpPages;
import dev.zarrreactive.cli.help.UsageErrors;
import dev.zarrreactive.cli.help.VersionText;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.options.ColourChoice;
import dev.zarrreactive.cli.options.DraftOptions;
import dev.zarrreactive.cli.options.Secrets;
import dev.zarrreactive.cli.options.StoreArguments;
import dev.zarrreactive.cli.options.StoreSettings;
import dev.zarrreactive.cli.options.ZarrFormat;
import dev.zarrreactive.cli.output.ElementFormat;
import dev.zarrreactive.cli.output.ElementOutput;
import dev.zarrreactive.cli.process.ExitCode;
import dev.zarrreactive.cli.process.Interruption;
import dev.zarrreactive.cli.process.LibraryNoise;
import dev.zarrreactive.cli.process.MemoryWatch;
import dev.zarrreactive.metadata.Drafts;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Mono;

/** The {@code zarr} command; {@link ExitCode} lists its exit codes. */
@Command(
    name = "zarr",
    description = "Looks into Zarr hierarchies, reads and copies their arrays.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = VersionText.class,
    sortOptions = false,
    synopsisHeading = "Usage: ",
    descriptionHeading = "%n",
    parameterListHeading = "%n",
    optionListHeading = "%n",
    commandListHeading = "%nCommands:%n")
public final class ZarrCommand extends Operation implements TopCommand {
  @Spec private CommandSpec spec;

  @Option(
      names = "--array_path",
      paramLabel = "DIR",
      scope = ScopeType.LOCAL,
      hidden = true, // an entry for a suite of tests
      description = "Print every element of the array at DIR, one a line, as JSON.")
  private @Nullable String arrayPath;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      converter = ColourChoice.Converter.class,
      scope = ScopeType.INHERIT,
      description = "auto (the default: on a terminal), always or never.")
  private ColourChoice colour = ColourChoice.AUTO;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Print the trace of an error.")
  private boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "Print results and errors, neither notes nor progress.")
  private boolean quiet;

  @Option(
      names = "--zarr-format",
      paramLabel = "2|3",
      converter = ZarrFormat.class,
      scope = ScopeType.INHERIT,
      description = "Read nodes of this format only, and ask for no others.")
  private @Nullable Integer zarrFormat;

  @Mixin private final DraftOptions drafts = new DraftOptions();
  @Mixin private final StoreArguments stores = new StoreArguments();

  private final CommandConsole console;
  private final Map<String, String> environment;
  private final Warnings warnings;
  private final Secrets secrets = new Secrets();

  private ZarrCommand(CommandConsole console, Map<String, String> environment) {
    this.console = console;
    this.environment = environment;
    this.warnings = new Warnings(console);
  }

  /** Returns the model of the command with its pages of help. */
  static CommandLine fullModel() {
    CommandConsole none =
        new CommandConsole(
            OutputStream.nullOutputStream(), OutputStream.nullOutputStream(), Terminal.NONE);
    return new ZarrCommand(none, Map.of()).model();
  }

  /** Returns the model of the command for this line of arguments. */
  CommandLine model(String... arguments) {
    CommandLine line = new CommandLine(this);
    Subcommands.add(line, arguments);
    HelpPages.install(line);
    return line;
  }

  /** Runs the command of the process and ends it. */
  public static void main(String[] arguments) {
    MemoryWatch memory = MemoryWatch.ofProcess(LibraryNoise.silence());
    CommandConsole console = CommandConsole.ofSystem();
    Interruption interruption = Interruption.ofThisThread();
    int exitCode =
        CommandRunner.run(
            new ZarrCommand(console, System.getenv()), console, memory::error, arguments);
    interruption.nothingLeftToInterrupt();
    System.exit(exitCode);
  }

  /**
   * Runs the command on a console.
   *
   * @param environment the variables that options may name
   * @return the exit code
   */
  public static int run(
      CommandConsole console, Map<String, String> environment, String... arguments) {
    return CommandRunner.run(new ZarrCommand(console, environment), console, () -> null, arguments);
  }

  @Override
  protected TopCommand command() {
    return this;
  }

  @Override
  protected String subject() {
    return arrayPath == null ? "" : LocationText.shown(arrayPath);
  }

  @Override
  public CommandConsole console() {
    return quiet ? console.quietly() : console;
  }

  boolean isVerbose() {
    return verbose;
  }

  @Override
  public Drafts drafts() {
    return drafts.drafts();
  }

  @Override
  public boolean leniencies() {
    return drafts.leniencies();
  }

  @Override
  public @Nullable Integer zarrFormat() {
    return zarrFormat;
  }

  @Override
  public StoreSettings storeSettings(CommandSpec subcommand) {
    StoreSettings settings = new StoreSettings(subcommand, environment, secrets);
    stores.addTo(settings);
    return settings;
  }

  @Override
  public Map<String, String> environment() {
    return environment;
  }

  @Override
  public Secrets secrets() {
    return secrets;
  }

  @Override
  public Warnings warnings() {
    return warnings;
  }

  @Override
  public ColourChoice colour() {
    return colour;
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (arrayPath == null) {
      throw new ParameterException(
          spec.commandLine(), UsageErrors.missingCommand(spec.commandLine()));
    }
    return location(arrayPath, storeSettings(spec).checkedFor(arrayPath).of(arrayPath))
        .in(
            options(),
            place ->
                withWarnings(place.openArray())
                    .flatMap(
                        array ->
                            ElementOutput.of(array, Selection.all(), ElementFormat.JSON, null)
                                .writeTo(console.out(), console.thread())));
  }

  @Override
  public void await(Mono<Void> work) {
    work.block();
  }
}
