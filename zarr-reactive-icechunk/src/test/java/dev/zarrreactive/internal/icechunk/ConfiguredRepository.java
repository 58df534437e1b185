package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.json.JsonObject;

/** The info of a repository with another configuration. */
public final class ConfiguredRepository {
  private ConfiguredRepository() {}

  /** Returns the file with a configuration. */
  public static Bytes of(Bytes file, JsonObject config) {
    RepoState state = RepoState.read(file, 1 << 20);
    state.configure(FlexBufferWriter.write(config));
    return state.write();
  }

  /** Returns the file with features that are switched off. */
  public static Bytes disabled(Bytes file, int... features) {
    RepoState state = RepoState.read(file, 1 << 20);
    state.disable(features);
    return state.write();
  }
}
