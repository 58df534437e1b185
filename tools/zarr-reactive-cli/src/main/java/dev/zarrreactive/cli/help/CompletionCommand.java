package dev.zarrreactive.cli.help;

import dev.zarrreactive.cli.options.Choices;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpCommandInitializable2;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code zarr completion}. */
@Command(
    name = "completion",
    helpCommand = true,
    headerHeading =
        "Example: zarr completion bash > ~/.local/share/bash-completion/completions/zarr%n",
    description = {
      "Prints a script with which a shell completes commands and options.",
      "bash and zsh: source <(zarr completion bash)",
      "fish: zarr completion fish > ~/.config/fish/completions/zarr.fish"
    })
public final class CompletionCommand implements IHelpCommandInitializable2, Runnable {
  @Parameters(
      paramLabel = "SHELL",
      arity = "0..1",
      converter = ShellConverter.class,
      description = "bash, zsh or fish.")
  private @Nullable Shell shell;

  private @Nullable CommandLine line;
  private @Nullable PrintWriter out;

  private enum Shell {
    BASH,
    ZSH,
    FISH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Reads the name of a shell. */
  static final class ShellConverter implements ITypeConverter<Shell> {
    @Override
    public Shell convert(String word) {
      return Choices.choice(word, Shell.values());
    }
  }

  @Override
  public void init(
      CommandLine helpCommand, Help.ColorScheme colorScheme, PrintWriter out, PrintWriter err) {
    this.line = helpCommand;
    this.out = out;
  }

  @Override
  public void run() {
    if (line == null || out == null) {
      throw new IllegalStateException("init is called first");
    }
    UsageErrors.checkAllMatched(line);
    if (shell == null) { // a command of help accepts missing words
      throw new ParameterException(line, "expected bash, zsh, fish");
    }
    CommandLine zarr = line.getParent();
    out.print(
        shell == Shell.FISH
            ? FishCompletion.of(zarr)
            : AutoComplete.bash("zarr", zarr)); // it turns on bashcompinit in zsh
    out.flush();
  }
}
