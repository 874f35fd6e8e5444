package clausefit.record;

import com.sun.jdi.Field;
import java.util.List;

/** The fields that are shown of the objects of a class, with their names and declared types. */
record Shape(List<Field> fields, List<String> names, List<String> types) {}
