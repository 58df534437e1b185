package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry in the log of the changes of a repository.
 *
 * @param fields what the kind has, in the order of the schema: a text is a {@code String}, an id an
 *     {@code SnapshotId}, a number an {@code Integer}, a status a {@code RepoState.Status}; null
 *     where it is not set
 * @param micros when it was made, in microseconds since 1970
 * @param backup the name of the copy of the info that this entry stood in first; null for the
 *     newest entry
 */
record RepoUpdate(Kind kind, List<@Nullable Object> fields, long micros, @Nullable String backup) {

  /** The id of a snapshot. */
  record SnapshotId(String text) {}

  /** The kinds of changes, each with its number and the types of its fields. */
  enum Kind {
    REPO_INITIALIZED(1, ""),
    REPO_MIGRATED(2, "bb"),
    CONFIG_CHANGED(3, ""),
    METADATA_CHANGED(4, ""),
    TAG_CREATED(5, "s"),
    TAG_DELETED(6, "si"),
    BRANCH_CREATED(7, "s"),
    BRANCH_DELETED(8, "si"),
    BRANCH_RESET(9, "si"),
    NEW_COMMIT(10, "si"),
    COMMIT_AMENDED(11, "sii"),
    NEW_DETACHED_SNAPSHOT(12, "i"),
    GC_RAN(13, ""),
    EXPIRATION_RAN(14, ""),
    FEATURE_FLAG_CHANGED(15, "hbb"),
    STATUS_CHANGED(16, "t");

    private final int number;
    private final String types;

    Kind(int number, String types) {
      this.number = number;
      this.types = types;
    }

    static @Nullable Kind of(int number) {
      for (Kind kind : values()) {
        if (kind.number == number) {
          return kind;
        }
      }
      return null;
    }
  }

  /** The same entry, after another one has been made. */
  RepoUpdate with(String copy) {
    return new RepoUpdate(kind, fields, micros, copy);
  }

  /** Reads an entry. */
  static RepoUpdate read(FlatBuffer buffer, int update) {
    int number = buffer.u8(update, 0, 0);
    Kind kind = Kind.of(number);
    if (kind == null) {
      throw new UnsupportedFeatureException(
          "the log of the repository has a change of the unknown kind "
              + number
              + ", which a later version of Icechunk has made; a commit would lose it, and is"
              + " refused",
          Location.ofKey(RepoFile.KEY));
    }
    int table = buffer.table(update, 1, "table of a change");
    List<@Nullable Object> fields = new ArrayList<>();
    for (int slot = 0; slot < kind.types.length(); slot++) {
      fields.add(field(buffer, table, slot, kind.types.charAt(slot)));
    }
    return new RepoUpdate(kind, fields, buffer.u64(update, 2), buffer.string(update, 3));
  }

  private static @Nullable Object field(FlatBuffer buffer, int table, int slot, char type) {
    return switch (type) {
      case 's' -> buffer.string(table, slot);
      case 'i' -> id(buffer, buffer.field(table, slot, 12));
      case 'b' -> buffer.u8(table, slot, 0);
      case 'h' -> number(buffer, buffer.field(table, slot, 2));
      default -> status(buffer, buffer.table(table, slot));
    };
  }

  private static @Nullable SnapshotId id(FlatBuffer buffer, int position) {
    return position == FlatBuffer.ABSENT ? null : new SnapshotId(buffer.id12(position));
  }

  private static Integer number(FlatBuffer buffer, int position) {
    return position == FlatBuffer.ABSENT ? 0 : buffer.u16(position);
  }

  private static RepoState.@Nullable Status status(FlatBuffer buffer, int table) {
    return table == FlatBuffer.ABSENT ? null : RepoState.Status.read(buffer, table);
  }

  /** Writes the entry. */
  int write(FlatBufferWriter out) {
    int[] written = new int[fields.size()];
    for (int slot = 0; slot < written.length; slot++) {
      Object field = fields.get(slot);
      if (field instanceof String text) {
        written[slot] = out.string(text);
      } else if (field instanceof RepoState.Status status) {
        written[slot] = status.write(out);
      }
    }
    String copy = backup;
    int name = copy == null ? FlatBufferWriter.ABSENT : out.string(copy);
    out.startTable(written.length);
    for (int slot = 0; slot < written.length; slot++) {
      out.offset(slot, written[slot]);
      Object field = fields.get(slot);
      if (field instanceof SnapshotId id) {
        out.id12(slot, id.text());
      } else if (field instanceof Integer number) {
        if (kind.types.charAt(slot) == 'h') {
          out.u16(slot, number);
        } else {
          out.u8(slot, number);
        }
      }
    }
    int table = out.endTable();
    out.startTable(4);
    out.u64(2, micros);
    out.offset(1, table);
    out.offset(3, name);
    out.u8(0, kind.number);
    return out.endTable();
  }
}
