"""The inspection: a program hashes as what it computes, not as where its file lies."""

from pathlib import Path

import pytest

from benchbook.worker import inspection

STABLEHLO = """\
#loc1 = loc("x")
module @jit_f attributes {{mhlo.num_partitions = 1 : i32}} {{
  func.func public @main(%arg0: tensor<4xf32> loc("x")) -> (tensor<4xf32>) {{
    %0 = stablehlo.{op} %arg0 : tensor<4xf32> loc(#loc3)
    return %0 : tensor<4xf32> loc(#loc)
  }} loc(#loc)
}} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("{folder}/lesson.py":{line}:4 to :16)
#loc3 = loc("jit(f)/{op}"(callsite("f"("{folder}/lesson.py":{line}:4) at #loc2)))
"""
HLO = """\
HloModule jit_f, is_scheduled=true, entry_computation_layout={{(f32[4]{{0}})->f32[4]{{0}}}}

FileNames
1 "{folder}/lesson.py"

FunctionNames
1 "f"

FileLocations
1 {{file_name_id=1 function_name_id=1 line={line}}}

StackFrames
1 {{file_location_id=1 parent_frame_id=1}}

ENTRY %main.3 (x.1: f32[4]) -> f32[4] {{
  %x.1 = f32[4]{{0}} parameter(0), metadata={{op_name="x"}}
  ROOT %{op}.1 = f32[4]{{0}} {op}(%x.1), metadata={{op_name="jit(f)" source_file="{folder}/x.py" line={line}}}
}}
"""


def dump(
    folder: Path, *, name: str = "jit_f", order: int = 0, source: str = "/a", line: int = 3, op: str = "sine"
):
    """Files as JAX and XLA write them for one program."""
    for part in ("ir", "hlo"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    words = {"folder": source, "line": line, "op": op}
    (folder / f"ir/jax_ir{order}_{name}_compile.mlir").write_text(STABLEHLO.format(**words))
    (folder / f"hlo/module_{order:04}.{name}.cpu_after_optimizations.txt").write_text(HLO.format(**words))
    (folder / f"hlo/module_{order:04}.{name}.before_optimizations.txt").write_text("not read")
    (folder / f"hlo/module_{order:04}.{name}.cpu_after_optimizations-buffer-assignment.txt").write_text(
        source
    )


def test_files_in_two_folders_hash_alike(tmp_path: Path):
    """Locations, metadata and tables of names are stripped from both texts."""
    dump(tmp_path / "one", source="/a", line=3)
    dump(tmp_path / "two", source="/tmp/elsewhere (copy)", line=77)  # noqa: S108  # a name in a text
    one, two = inspection.programs(tmp_path / "one"), inspection.programs(tmp_path / "two")
    assert one == two
    assert [program["name"] for program in one] == ["jit_f"]
    assert all(len(one[0][part]) == 64 for part in ("stablehlo", "hlo"))


def test_another_program_hashes_differently(tmp_path: Path):
    """One operation is enough, in both texts."""
    dump(tmp_path / "one", op="sine")
    dump(tmp_path / "two", op="cosine")
    ((one,), (two,)) = inspection.programs(tmp_path / "one"), inspection.programs(tmp_path / "two")
    assert one["stablehlo"] != two["stablehlo"]
    assert one["hlo"] != two["hlo"]


@pytest.mark.parametrize("part", ["%arg0", "tensor<4xf32>", "mhlo.num_partitions"])
def test_what_is_computed_is_not_stripped(tmp_path: Path, part: str):
    """A change of any other word changes the hash."""
    dump(tmp_path / "one")
    dump(tmp_path / "two")
    path = tmp_path / "two/ir/jax_ir0_jit_f_compile.mlir"
    assert part in path.read_text()
    path.write_text(path.read_text().replace(part, f"{part}x"))
    ((one,), (two,)) = inspection.programs(tmp_path / "one"), inspection.programs(tmp_path / "two")
    assert one["stablehlo"] != two["stablehlo"]


def test_programs_stand_in_the_order_of_compilation_and_once(tmp_path: Path):
    """The tenth comes after the second, and a program that was compiled again is the same one."""
    dump(tmp_path, order=10, op="cosine")
    dump(tmp_path, order=2, op="sine")
    dump(tmp_path, order=11, op="sine")
    found = inspection.programs(tmp_path)
    assert len(found) == 2
    dump(tmp_path / "alone", op="sine")
    assert found[0] == inspection.programs(tmp_path / "alone")[0]


def test_texts_that_have_no_partner_are_listed_apart(tmp_path: Path):
    """Where one side was not written, no pair is made up."""
    dump(tmp_path, order=0)
    dump(tmp_path, order=1, op="cosine")
    (tmp_path / "hlo/module_0001.jit_f.cpu_after_optimizations.txt").unlink()
    found = inspection.programs(tmp_path)
    assert [(program["stablehlo"] is None, program["hlo"] is None) for program in found] == [
        (False, True),
        (False, True),
        (True, False),
    ]


def test_nothing_compiled_is_no_program(tmp_path: Path):
    """A snippet without JAX has an empty list."""
    assert inspection.programs(tmp_path / "none") == []


def test_the_environment_asks_for_both_texts_and_keeps_flags(tmp_path: Path):
    """The backend's own flags stay: the same programs are compiled."""
    env = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8", "A": "b"}
    found = inspection.variables(tmp_path, env)
    assert found["XLA_FLAGS"].startswith("--xla_force_host_platform_device_count=8 --xla_dump_to=")
    assert found["JAX_DUMP_IR_TO"].startswith(str(tmp_path))
    assert found["A"] == "b"
    assert env["XLA_FLAGS"] == "--xla_force_host_platform_device_count=8"
    assert inspection.variables(tmp_path, {})["XLA_FLAGS"].startswith("--xla_dump_to=")
