package dev.zarrreactive.cli;

import dev.zarrreactive.cli.bench.BenchCommand;
import dev.zarrreactive.cli.change.AppendCommand;
import dev.zarrreactive.cli.change.AttrsCommand;
import dev.zarrreactive.cli.change.ConsolidateCommand;
import dev.zarrreactive.cli.change.CreateCommand;
import dev.zarrreactive.cli.change.MvCommand;
import dev.zarrreactive.cli.change.ResizeCommand;
import dev.zarrreactive.cli.change.RmCommand;
import dev.zarrreactive.cli.check.ValidateCommand;
import dev.zarrreactive.cli.copy.CopyCommand;
import dev.zarrreactive.cli.demo.DemoCommand;
import dev.zarrreactive.cli.describe.HeaderCommand;
import dev.zarrreactive.cli.describe.InfoCommand;
import dev.zarrreactive.cli.describe.TreeCommand;
import dev.zarrreactive.cli.diff.DiffCommand;
import dev.zarrreactive.cli.help.CompletionCommand;
import dev.zarrreactive.cli.help.HelpCommand;
import dev.zarrreactive.cli.history.BranchCommand;
import dev.zarrreactive.cli.history.ExpireCommand;
import dev.zarrreactive.cli.history.HistoryCommand;
import dev.zarrreactive.cli.history.InitCommand;
import dev.zarrreactive.cli.history.TagCommand;
import dev.zarrreactive.cli.input.ImportCommand;
import dev.zarrreactive.cli.output.ReadCommand;
import dev.zarrreactive.cli.statistics.StatsCommand;
import dev.zarrreactive.cli.stored.CleanCommand;
import dev.zarrreactive.cli.stored.DuCommand;
import dev.zarrreactive.cli.stored.LsCommand;
import dev.zarrreactive.cli.stream.StreamCommand;
import dev.zarrreactive.cli.view.ViewCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;

/**
 * The commands below {@code zarr}, in the order of the help. To read the annotations of all takes a
 * quarter of a start: a line that begins with the name of a command gets that one alone.
 */
final class Subcommands {
  private static final Map<String, Class<?>> ALL = new LinkedHashMap<>();

  static {
    ALL.put("info", InfoCommand.class);
    ALL.put("header", HeaderCommand.class);
    ALL.put("tree", TreeCommand.class);
    ALL.put("ls", LsCommand.class);
    ALL.put("du", DuCommand.class);
    ALL.put("history", HistoryCommand.class);
    ALL.put("init", InitCommand.class);
    ALL.put("branch", BranchCommand.class);
    ALL.put("tag", TagCommand.class);
    ALL.put("expire", ExpireCommand.class);
    ALL.put("attrs", AttrsCommand.class);
    ALL.put("read", ReadCommand.class);
    ALL.put("view", ViewCommand.class);
    ALL.put("stream", StreamCommand.class);
    ALL.put("stats", StatsCommand.class);
    ALL.put("validate", ValidateCommand.class);
    ALL.put("diff", DiffCommand.class);
    ALL.put("consolidate", ConsolidateCommand.class);
    ALL.put("copy", CopyCommand.class);
    ALL.put("create", CreateCommand.class);
    ALL.put("import", ImportCommand.class);
    ALL.put("resize", ResizeCommand.class);
    ALL.put("append", AppendCommand.class);
    ALL.put("mv", MvCommand.class);
    ALL.put("rm", RmCommand.class);
    ALL.put("clean", CleanCommand.class);
    ALL.put("bench", BenchCommand.class);
    ALL.put("serve", ServeCommand.class);
    ALL.put("sign", SignCommand.class);
    ALL.put("demo", DemoCommand.class);
    ALL.put("completion", CompletionCommand.class);
    ALL.put("help", HelpCommand.class);
  }

  private Subcommands() {}

  /** Adds the commands that the line needs: one, or all where another may be named. */
  static void add(CommandLine zarr, String... line) {
    Class<?> one = line.length == 0 ? null : ALL.get(line[0]);
    if (one == null || one == HelpCommand.class || one == CompletionCommand.class) {
      ALL.forEach(zarr::addSubcommand);
    } else {
      zarr.addSubcommand(line[0], one);
    }
  }
}
