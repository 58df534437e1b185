/** Writes tables of Apache Spark to arrays and datasets. */
@NullMarked
package dev.zarrreactive.spark.write;

import org.jspecify.annotations.NullMarked;
