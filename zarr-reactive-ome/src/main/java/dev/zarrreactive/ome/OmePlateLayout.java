package dev.zarrreactive.ome;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The rows, columns and wells of a plate by its attributes (OME-Zarr 0.5, "plate").
 *
 * @param name the name; empty without
 * @param rows the names of the rows, from the top
 * @param columns the names of the columns, from the left
 * @param wells the wells that have images, in the order of the attributes
 * @param acquisitions the acquisitions; empty where the plate tells of one alone
 */
public record OmePlateLayout(
    String name,
    List<String> rows,
    List<String> columns,
    List<OmePlateLayout.Well> wells,
    List<OmePlateLayout.Acquisition> acquisitions) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]+");

  /**
   * The place of a well.
   *
   * @param path the path of its group below the plate, such as {@code A/3}
   * @param row the index of its row
   * @param column the index of its column
   */
  public record Well(String path, int row, int column) {}

  /**
   * Images that were taken together.
   *
   * @param id the number by which images of wells refer to it
   * @param name the name; empty without
   */
  public record Acquisition(long id, String name) {}

  /** Copies the lists. */
  public OmePlateLayout {
    rows = List.copyOf(rows);
    columns = List.copyOf(columns);
    wells = List.copyOf(wells);
    acquisitions = List.copyOf(acquisitions);
  }

  static OmePlateLayout of(OmeJson json) {
    List<String> rows = names(json.member("rows"));
    List<String> columns = names(json.member("columns"));
    json.member("field_count").integer(1, false);
    return new OmePlateLayout(
        json.member("name").text(),
        rows,
        columns,
        wells(json.member("wells"), rows, columns),
        acquisitions(json.member("acquisitions")));
  }

  private static List<String> names(OmeJson json) {
    List<String> names = new ArrayList<>();
    for (OmeJson each : json.unique("a list of rows or columns", true)) {
      OmeJson name = each.member("name");
      names.add(name.text("a name", true));
      if (!name.text().isEmpty() && !NAME.matcher(name.text()).matches()) {
        name.report("letters and digits", false);
      }
    }
    return names;
  }

  private static List<Well> wells(OmeJson json, List<String> rows, List<String> columns) {
    Map<String, Integer> rowsByName = indices(rows);
    Map<String, Integer> columnsByName = indices(columns);
    List<Well> wells = new ArrayList<>();
    for (OmeJson each : json.unique("a list of wells", true)) {
      OmeJson path = each.member("path");
      String text = path.text("the path of a well", true);
      OmeMultiscale.checkPath(path, text);
      String[] names = text.split("/", -1);
      int namedRow = names.length == 2 ? rowsByName.getOrDefault(names[0], -1) : -1;
      int namedColumn = names.length == 2 ? columnsByName.getOrDefault(names[1], -1) : -1;
      OmeJson row = each.member("rowIndex");
      OmeJson column = each.member("columnIndex");
      long rowIndex = row.integer(0, true).orElse(namedRow);
      long columnIndex = column.integer(0, true).orElse(namedColumn);
      if (rowIndex < 0 || rowIndex >= rows.size()) {
        row.report("the index of one of the " + rows.size() + " rows", true);
      } else if (columnIndex < 0 || columnIndex >= columns.size()) {
        column.report("the index of one of the " + columns.size() + " columns", true);
      } else {
        if (rowIndex != namedRow || columnIndex != namedColumn) {
          path.report(rows.get((int) rowIndex) + "/" + columns.get((int) columnIndex), false);
        }
        wells.add(new Well(text, (int) rowIndex, (int) columnIndex));
      }
    }
    return wells;
  }

  private static Map<String, Integer> indices(List<String> names) {
    Map<String, Integer> indices = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      indices.putIfAbsent(names.get(i), i);
    }
    return indices;
  }

  private static List<Acquisition> acquisitions(OmeJson json) {
    List<Acquisition> acquisitions = new ArrayList<>();
    for (OmeJson each : json.elements()) {
      OptionalLong id = each.member("id").integer(0, true);
      each.member("maximumfieldcount").integer(1, false);
      each.member("starttime").integer(0, false);
      each.member("endtime").integer(0, false);
      id.ifPresent(number -> acquisitions.add(new Acquisition(number, each.member("name").text())));
    }
    return acquisitions;
  }
}
