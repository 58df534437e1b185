/** Arrays and datasets as tables of Apache Spark. */
@NullMarked
package dev.zarrreactive.spark;

import org.jspecify.annotations.NullMarked;
