package dev.zarrreactive.cli.options;

import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/** The drafts of Zarr v3 that the user accepts. */
public final class DraftOptions {
  @Option(
      names = "--draft",
      paramLabel = "YEAR",
      split = ",",
      converter = OfDraft.class,
      scope = ScopeType.INHERIT,
      description = "Read what is written to this draft of Zarr v3 too: 2022, 2023 or both.")
  private Set<Draft> accepted = EnumSet.noneOf(Draft.class);

  @Option(
      names = "--fallback-types",
      scope = ScopeType.INHERIT,
      description = "Read an unknown data type as the fallback that a draft's document names.")
  private boolean fallbackDataTypes;

  @Option(
      names = "--strict",
      scope = ScopeType.INHERIT,
      description = "Refuse nodes that need a leniency; docs/leniencies.md lists them.")
  private boolean strict;

  /** Returns true if nodes are read that need a leniency. */
  public boolean leniencies() {
    return !strict;
  }

  public Drafts drafts() {
    Drafts drafts = Drafts.of(accepted.toArray(Draft[]::new));
    return fallbackDataTypes ? drafts.withFallbackDataTypes() : drafts;
  }

  static final class OfDraft implements ITypeConverter<Draft> {
    @Override
    public Draft convert(String year) {
      return Arrays.stream(Draft.values())
          .filter(draft -> draft.year().equals(year))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "expected "
                          + Arrays.stream(Draft.values())
                              .map(Draft::year)
                              .collect(Collectors.joining(" or "))
                          + "; found "
                          + year));
    }
  }
}
